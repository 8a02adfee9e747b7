import { isAscii, isUtf8 } from 'node:buffer';
import { AppError, messageOf } from '../errors.js';
import type { Bounded } from '../workers/bounded.js';

/** The deepest nesting of objects and lists. */
const deepest = 64;
/** The most keys and items: validating more would block other requests. A page's context has a few hundred. */
const mostMembers = 5000;
/** From this many bytes on, parsing takes so long that other requests get a turn in between. */
const large = 16 * 1024;

/** In UTF-8, none of these bytes is part of another character. */
const signs = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  list: 0x5b,
  listEnd: 0x5d,
  object: 0x7b,
  objectEnd: 0x7d,
};

/**
 * Parses a JSON object or list from a client and returns the result of `take`. `named` is the body's name in errors.
 * Large ones wait in `queue`, those of one `sender` in one line: they hold up nobody else's. Errors: `invalid_request`
 * for an empty body, invalid UTF-8 or JSON, more than 64 levels, or more than 5,000 keys and items; `rate_limited`
 * while too many large bodies of the sender wait.
 */
export async function parseJson<T>(
  queue: Bounded,
  bytes: Buffer,
  { named, sender }: { named: 'body' | 'frame'; sender?: string | undefined },
  take: (value: object) => T,
): Promise<T> {
  const parse = () => take(parseBounded(bytes, `The ${named}`));
  return bytes.length > large ? queue.run(() => inTurn(parse), sender) : parse();
}

/** Runs in a turn of the event loop of its own. */
async function inTurn<T>(parse: () => T): Promise<T> {
  await new Promise((resolve) => setImmediate(resolve));
  return parse();
}

function parseBounded(bytes: Buffer, subject: string): object {
  checkShape(bytes, subject);
  if (!isUtf8(bytes)) throw invalid(`${subject} is not valid UTF-8.`);
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  // For ASCII the result is the same, in a tenth of the time.
  const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8', marked ? 3 : 0);
  if (text.trim() === '') throw invalid(`${subject} is empty.`);
  const value = read(text, subject);
  if (typeof value === 'object' && value !== null) return value;
  throw invalid(`${subject} is not valid: expected an object.`);
}

function read(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`${subject} is not valid JSON: ${messageOf(error).slice(0, 200)}`);
  }
}

/**
 * Refuses too many nested brackets or members. Brackets inside strings do not count. Reads byte by byte and stops at
 * the first excess: a regular expression for strings can be made to backtrack.
 */
function checkShape(bytes: Buffer, subject: string): void {
  let depth = 0;
  let members = 1;
  let quoted = false;
  for (let at = 0; at < bytes.length; at++) {
    const sign = bytes[at];
    if (quoted) {
      if (sign === signs.backslash) at += 1;
      else if (sign === signs.quote) quoted = false;
    } else if (sign === signs.quote) quoted = true;
    else if (sign === signs.list || sign === signs.object) {
      if (++depth > deepest)
        throw invalid(`${subject} is nested more than ${deepest} levels deep.`);
    } else if (sign === signs.listEnd || sign === signs.objectEnd) depth -= 1;
    else if (sign === signs.comma && ++members > mostMembers) {
      throw invalid(`${subject} has more than ${mostMembers} keys and items.`);
    }
  }
}

function invalid(sentence: string): AppError {
  return new AppError('invalid_request', sentence);
}
