import { AppError } from '../../platform/errors.js';

/** The longest text, each of its characters escaped. */
export const mostBytes = 4 * 1024 * 1024;

/** A line of a file; `text` throws where it is too long or no UTF-8: the next one may be well. */
export interface Line {
  number: number;
  text: () => string;
}

export const lineFeed = 0x0a;

/** The lines of a stream that are not blank, never more in memory than one line may have. */
export async function* readLines(stream: AsyncIterable<Buffer | string>): AsyncGenerator<Line> {
  let held: Buffer[] = [];
  let size = 0;
  let number = 1;
  const keep = (part: Buffer) => {
    size += part.length;
    if (size <= mostBytes) held.push(part);
    else held = [];
  };
  const take = (): Line => {
    const line = { number, text: textOf(held, size) };
    held = [];
    size = 0;
    number += 1;
    return line;
  };
  for await (const piece of stream) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      const line = take();
      if (!isBlank(line)) yield line;
    }
    keep(chunk.subarray(start));
  }
  const last = take();
  if (!isBlank(last)) yield last;
}

function textOf(parts: Buffer[], size: number): () => string {
  return () => {
    if (size > mostBytes) throw tooLong();
    return decode(Buffer.concat(parts));
  };
}

/** Refuses with `invalid_request` bytes that are no UTF-8. A byte order mark is left out. */
export function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('invalid_request', 'is not written in UTF-8');
  }
}

export function tooLong(): AppError {
  return new AppError('invalid_request', `is longer than ${mostBytes / 1024 / 1024} MB`);
}

function isBlank(line: Line): boolean {
  try {
    return line.text().trim() === '';
  } catch {
    return false;
  }
}
