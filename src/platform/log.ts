import { pino, type Logger } from 'pino';

export type { Logger };

/** Field names that never reach a log, wherever they stand in what is logged. */
const secrets = ['authorization', 'cookie', 'password', 'token', 'refreshToken', 'secret'];

/** Levels of which each line is for a person at a terminal too; what tells more is read by programs. */
const forPeople = ['warn', 'error', 'fatal'];

/** The log of a command: a sentence at a time to a person, where one reads it, else as `createLog`. */
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
 * JSON lines on standard error, so that standard output stays a command's own answer. Message texts and
 * secrets are never logged; the redaction below is the second line of defence, not the first.
 */
export function createLog(level: string): Logger {
  const paths = secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: paths },
    pino.destination({ dest: 2, sync: true }),
  );
}
