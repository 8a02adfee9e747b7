import { open, rm, type FileHandle } from 'node:fs/promises';
import { AppError, messageOf } from '../errors.js';
import { isOpenToOthers } from '../config/secret-box.js';
import type { Option } from './command-group.js';
import { fileTrouble } from './file-trouble.js';
import type { Output, Terminal } from './terminal.js';

export const secretFileOption: Option = [
  '--secret-file <file>',
  'write the secret to this new file, which its owner alone may read; - for standard output (needed where that is no terminal, unless --json asks for it)',
];

/**
 * Where a secret goes that is told once: into the new file that --secret-file names, else to the terminal, or to the
 * program that asks for it with --json. Anything else may well be the log of a CI job: it gets a secret only where `-`
 * asks for that. Refuses with `usage`.
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

/** More than any secret takes, in bytes. */
const room = 4096;

/**
 * Runs `make`, and writes the secret of what it answers to a new file that its owner alone may read. The file is made
 * first, with room for the secret: a place that can't be written to, or a full disk, must not cost a secret that is
 * told only once. Refuses with `usage` where there is such a file already, or none can be made, with `no_space`;
 * without a path it writes nothing.
 */
export async function keepSecret<T>(
  path: string | undefined,
  make: () => Promise<T>,
  secretOf: (made: T) => string,
): Promise<T> {
  if (path === undefined) return make();
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    const sentence = `--secret-file: ${path} can't be made (${messageOf(error)}). Name a new file.`;
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

/** No secret is nearly as long. */
const longestSecret = 8192;

/**
 * The secret in a file, which is a line. `note` is told where others may read the file. Refuses with `usage`; what the
 * file holds is never said.
 */
export async function readSecretFile(
  path: string,
  { option, what, note }: { option: string; what: string; note: (text: string) => void },
): Promise<string> {
  const file = await open(path, 'r').catch((error: unknown) => {
    const sentence = `${option}: ${path} can't be read (${messageOf(error)}).`;
    throw new AppError('usage', sentence, { cause: error });
  });
  try {
    const rights = await file.stat();
    const bytes = Buffer.alloc(longestSecret);
    const bytesRead = await fill(bytes, file).catch(() => 0);
    const secret = bytes.toString('utf8', 0, bytesRead).trim();
    if (!/^[\x21-\x7e]+$/.test(secret) || bytesRead === longestSecret) {
      const sentence = `${option}: ${path} holds no ${what}. It is one line of letters, digits and signs, without blanks.`;
      throw new AppError('usage', sentence);
    }
    if (isOpenToOthers(rights)) {
      note(`Others on this machine may read ${path}: chmod 600 ${path}`);
    }
    return secret;
  } finally {
    await file.close();
  }
}

/** Reads on from where it is, since a pipe such as a shell's <(…) has no other place. */
async function fill(bytes: Buffer, file: FileHandle): Promise<number> {
  for (let filled = 0; ;) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, null);
    filled += bytesRead;
    if (bytesRead === 0 || filled === bytes.length) return filled;
  }
}
