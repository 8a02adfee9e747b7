import { pino, type Logger } from 'pino';

export type { Logger };

/** Field names that never reach a log, wherever they stand in what is logged. */
const secrets = ['authorization', 'cookie', 'password', 'token', 'refreshToken', 'secret'];

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
