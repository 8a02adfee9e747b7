import { open, type FileHandle } from 'node:fs/promises';
import { AppError, messageOf } from '../../platform/errors.js';
import { parseUrl } from '../../platform/text/parse-url.js';

/** No token is nearly as long. */
const longestToken = 8192;

/**
 * The address of a server as it is given with --server: http or https, with the path that it is under, if any.
 * `note` is told where what is sent can be read on the way. Refuses with `usage`.
 */
export function readServerUrl(text: string, note: (text: string) => void): URL {
  const url = parseUrl(text);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  const hasMore = url !== undefined && url.username + url.password + url.search + url.hash !== '';
  if (url === undefined || !isWeb || hasMore) {
    const sentence = `--server: expected an address such as https://assistant.example.com, not ${JSON.stringify(withoutPassword(text))}.`;
    throw new AppError('usage', sentence);
  }
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    note(`${url.origin} is not https: the token and the files can be read on their way there.`);
  }
  return url;
}

/**
 * The token in a file, which is a line. `note` is told where others may read the file. Refuses with `usage`; what the
 * file holds is never said.
 */
export async function readToken(path: string, note: (text: string) => void): Promise<string> {
  const file = await open(path, 'r').catch((error: unknown) => {
    const sentence = `--token-file: ${path} can't be read (${messageOf(error)}).`;
    throw new AppError('usage', sentence, { cause: error });
  });
  try {
    const { mode } = await file.stat();
    const bytes = Buffer.alloc(longestToken);
    const bytesRead = await fill(bytes, file).catch(() => 0);
    const token = bytes.toString('utf8', 0, bytesRead).trim();
    if (!/^[\x21-\x7e]+$/.test(token) || bytesRead === longestToken) {
      const sentence = `--token-file: ${path} holds no token. It is a line, as assistant tokens mint prints it.`;
      throw new AppError('usage', sentence);
    }
    // Windows has other rights, which these bits do not tell.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      note(`Others on this machine may read ${path}: chmod 600 ${path}`);
    }
    return token;
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

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host);
}

function withoutPassword(text: string): string {
  return text.replace(/\/\/[^/@]*@/, '//…@');
}
