import { pino, type Logger } from 'pino';
import { printable } from './text/printable.js';

export type { Logger };

/** Names of fields that are redacted wherever they occur in a log entry. */
const secrets = ['authorization', 'cookie', 'password', 'token', 'refreshToken', 'secret'];

/** The levels that a person at a terminal sees too. Lower levels are for programs. */
const forPeople = ['warn', 'error', 'fatal'];

export interface LogSettings {
  level: string;
  /** `auto`: text where standard error is a terminal, else JSON. */
  format: 'auto' | 'json' | 'text';
}

/** The log of a command: sentences for the person at the terminal, else as `createLog`. */
export function createCommandLog(
  settings: LogSettings,
  say: ((sentence: string) => void) | undefined,
): Logger {
  if (say === undefined || !forPeople.includes(settings.level)) return createLog(settings);
  const write = (line: string) => say(`(${sentenceOf(parseLine(line))})`);
  return pino({ level: settings.level }, { write });
}

/**
 * The log on standard error, so that standard output stays a command's own answer: JSON lines for programs, text for a
 * person at a terminal. Message texts and secrets are never logged. The redaction below is the second line of defence,
 * not the first.
 */
export function createLog({ level, format }: LogSettings): Logger {
  const paths = secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  const isText = format === 'text' || (format === 'auto' && process.stderr.isTTY);
  const write = (line: string) => process.stderr.write(`${printable(textOf(parseLine(line)))}\n`);
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: paths },
    isText ? { write } : pino.destination({ dest: 2, sync: true }),
  );
}

/** A line that `createLog` wrote, as `assistant logs` reads it again. */
export interface ReadLine {
  /** As JSON lines have it; fewer fields for a line of text. */
  document: object;
  /** In the form for people. */
  text: string;
  level: string;
  /** Undefined for a line of text, which contains only the time of day. */
  time: string | undefined;
  requestId: string | undefined;
}

/** Undefined for a line that is not of the log. */
export function readLogLine(line: string): ReadLine | undefined {
  const [text = '', written] = /^\d\d:\d\d:\d\d (\w{4,5}) .*$/.exec(line) ?? [];
  if (written !== undefined) {
    const requestId = /\brequest_id=([\w.-]+)/.exec(text)?.[1];
    return { document: { msg: text }, text, level: written, time: undefined, requestId };
  }
  const parsed = line.startsWith('{') ? tryParsing(line) : undefined;
  if (typeof parsed?.level !== 'number' || typeof parsed.time !== 'string') return undefined;
  const level = pino.levels.labels[parsed.level] ?? 'info';
  const { time, request_id: id } = parsed;
  const requestId = typeof id === 'string' ? id : undefined;
  return { document: parsed, text: textOf(parsed), level, time, requestId };
}

function tryParsing(line: string): LogLine | undefined {
  try {
    return parseLine(line);
  } catch {
    return undefined;
  }
}

interface LogLine {
  level: number;
  time: string;
  msg?: string;
  reason?: string;
  request_id?: unknown;
  err?: { message?: string };
}

function parseLine(line: string): LogLine {
  return JSON.parse(line) as LogLine;
}

function sentenceOf({ msg, reason, err }: LogLine): string {
  const why = reason ?? err?.message;
  return [msg ?? '', ...(why === undefined ? [] : [why])].join(': ');
}

/** `13:05:09 warn  the database was migrated, backup=before.sqlite`, the time in UTC. */
function textOf(line: LogLine): string {
  const { level, time, msg: _msg, reason: _reason, err: _err, ...facts } = line;
  const given = Object.entries(facts).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const said = [sentenceOf(line), ...given].filter((part) => part !== '').join(', ');
  return `${time.slice(11, 19)} ${(pino.levels.labels[level] ?? '').padEnd(5)} ${said}`;
}
