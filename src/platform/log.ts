import { pino, type Logger } from 'pino';

export type { Logger };

/** Names of fields that are redacted wherever they occur in a log entry. */
const secrets = ['authorization', 'cookie', 'password', 'token', 'refreshToken', 'secret'];

/** The levels that a person at a terminal sees too. Lower levels are for programs. */
const forPeople = ['warn', 'error', 'fatal'];

/** The log of a command: single sentences when a person reads along, else as `createLog`. */
export function createCommandLog(level: string, say: ((sentence: string) => void) | undefined) {
  if (say === undefined || !forPeople.includes(level)) return createLog(level);
  return pino({ level }, { write: (line: string) => say(`(${sentenceOf(line)})`) });
}

function sentenceOf(line: string): string {
  const { msg, reason, err } = JSON.parse(line) as {
    msg?: string;
    reason?: string;
    err?: { message?: string };
  };
  const why = reason ?? err?.message;
  return [msg ?? '', ...(why === undefined ? [] : [why])].join(': ');
}

/**
 * JSON lines on standard error, because standard output belongs to a command's result. Never log message texts or
 * secrets: the redaction below is only a second line of defence.
 */
export function createLog(level: string): Logger {
  const paths = secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: paths },
    pino.destination({ dest: 2, sync: true }),
  );
}
