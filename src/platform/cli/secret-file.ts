import { open, rm, stat } from 'node:fs/promises';
import { AppError, messageOf } from '../errors.js';
import { readNamedFile } from '../named-file.js';
import { isOpenToOthers } from '../config/secret-box.js';
import type { Option } from './command-group.js';
import { fileTrouble } from './file-trouble.js';
import type { Output, Terminal } from './terminal.js';

export const secretFileOption: Option = [
  '--secret-file <file>',
  'write the secret to this new file, which only its owner may read; - for standard output (required if that is no terminal and --json is not given)',
];

/**
 * Chooses where to print a secret that is shown only once: the new file of --secret-file, else the terminal, or the
 * program that uses --json. Any other output may be the log of a CI job; it receives the secret only with `-`. Refuses
 * with `usage`.
 */
export function placeForSecret(
  { terminal: { stdout }, out }: { terminal: Pick<Terminal, 'stdout'>; out: Pick<Output, 'json'> },
  given: string | undefined,
): { file: string | undefined } {
  if (given === '-') return { file: undefined };
  if (given !== undefined || stdout.isTTY === true || out.json) return { file: given };
  const sentence =
    'Standard output is no terminal, so the secret might end in a log. Give --secret-file with a new file, or --json where a program reads it (--secret-file - has it on standard output all the same).';
  throw new AppError('usage', sentence);
}

/** In bytes; larger than any secret. */
const room = 4096;

/**
 * Runs `make` and writes the secret of its result to a new file that only its owner may read. The file is created
 * first, with enough reserved space: an unwritable place or a full disk must not lose a secret that is shown only once.
 * Errors: `usage` when the file exists or cannot be created; `no_space`. Without a path, it writes nothing.
 */
export async function keepSecret<T>(
  path: string | undefined,
  make: () => Promise<T>,
  secretOf: (made: T) => string,
): Promise<T> {
  if (path === undefined) return make();
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    const sentence = `--secret-file: ${path} can't be created (${messageOf(error)}). Name a new file.`;
    throw new AppError('usage', sentence, { cause: error });
  });
  try {
    await file.write(' '.repeat(room), 0);
    await file.sync();
    const made = await make();
    const { bytesWritten } = await file.write(`${secretOf(made)}\n`, 0);
    await file.truncate(bytesWritten);
    await file.sync();
    await file.close();
    return made;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw fileTrouble(error) ?? error;
  }
}

/** In bytes. */
const longestSecret = 8192;

/**
 * Reads the secret in a file, which must be one line. `note` receives a warning when others may read the file. Refuses
 * with `usage`; the error never quotes the file.
 */
export async function readSecretFile(
  path: string,
  { option, what, note }: { option: string; what: string; note: (text: string) => void },
): Promise<string> {
  const bytes = await readNamedFile(path, { mostMb: 1 }).catch((error: unknown) => {
    const sentence = `${option}: ${error instanceof AppError ? error.message : `${path} can't be read (${messageOf(error)}).`}`;
    throw new AppError('usage', sentence, { cause: error });
  });
  const secret = bytes.toString('utf8').trim();
  if (!/^[\x21-\x7e]+$/.test(secret) || bytes.length > longestSecret) {
    const sentence = `${option}: ${path} contains no ${what}. Write it as one line of letters, digits and signs, without spaces.`;
    throw new AppError('usage', sentence);
  }
  if (isOpenToOthers(await stat(path))) {
    note(`Others on this machine may read ${path}: chmod 600 ${path}`);
  }
  return secret;
}
