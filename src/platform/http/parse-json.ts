import { isAscii, isUtf8 } from 'node:buffer';
import { AppError, messageOf } from '../errors.js';
import { createBounded, restFor } from '../workers/bounded.js';

/** Objects and lists within one another at most. */
const deepest = 64;
/** Keys and items at most: checking more would hold up everybody else. A page's context has a few hundred. */
const mostMembers = 5000;
/** Bytes from which JSON takes long enough to be parsed for others to be let in between. */
const large = 16 * 1024;

/** None of them is part of another character in UTF-8. */
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
 * What `take` makes of the object or list that a client sent as JSON; `named` is what refusals call it. Refuses with
 * `invalid_request` what is empty, no UTF-8, no JSON, nested more than 64 levels deep, or of more than 5,000 keys and
 * items; with `rate_limited` while too many large ones wait.
 */
export async function parseJson<T>(
  bytes: Buffer,
  named: 'body' | 'frame',
  take: (value: object) => T,
): Promise<T> {
  const parse = () => take(parseBounded(bytes, `The ${named}`));
  return bytes.length > large ? parsing.run(() => inTurn(parse)) : parse();
}

/**
 * Large ones, one after the other: what waits holds up to a megabyte each. Whatever is sent, others have three quarters
 * of the time.
 */
const parsing = createBounded({ atOnce: 1, waiting: 100, rest: restFor(3) });

/** In a turn of the event loop of its own. */
async function inTurn<T>(parse: () => T): Promise<T> {
  await new Promise((resolve) => setImmediate(resolve));
  return parse();
}

function parseBounded(bytes: Buffer, subject: string): object {
  checkShape(bytes, subject);
  if (!isUtf8(bytes)) throw invalid(`${subject} is not valid UTF-8.`);
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  // Without other characters it is the same, in a tenth of the time.
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
 * Refuses more brackets than may be open at once, and more parts than may stand in them; what is in strings counts for
 * nothing. Byte by byte, up to the first that is too many: an expression that matches whole strings can be made to try
 * each of them again and again.
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
