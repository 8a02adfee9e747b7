import { isAscii, isUtf8 } from 'node:buffer';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'koa';
import { AppError, messageOf } from '../errors.js';
import { createBounded } from '../workers/bounded.js';
import { checkTexts } from './check-texts.js';
import { readBytes } from './read-bytes.js';

/** Objects and lists within one another at most. */
const deepest = 64;
/** Keys and items at most: checking more would hold up everybody else. A page's context has a few hundred. */
const mostMembers = 5000;
/** Bytes from which a body takes long enough to be parsed for others to be let in between. */
const large = 16 * 1024;

/** None of them is part of another character in UTF-8. */
const signs = {
  ...{ quote: 0x22, backslash: 0x5c, comma: 0x2c },
  ...{ list: 0x5b, listEnd: 0x5d, object: 0x7b, objectEnd: 0x7d },
};

/**
 * The request's JSON body: an object or a list. `kilobytes` is what it may have at most, unpacked. Refuses with
 * `unsupported_media_type` what does not say that it is JSON, `body_too_large` what is larger, `invalid_request` what
 * is missing, no UTF-8, no JSON, nested more than 64 levels deep, of more than 5,000 keys and items, or has texts that
 * can't be stored; `rate_limited` while too many large ones wait.
 */
export async function readJsonBody(ctx: Context, kilobytes: number): Promise<unknown> {
  const { 'transfer-encoding': chunked, 'content-length': length = '0' } = ctx.req.headers;
  if (chunked === undefined && Number(length) === 0) throw invalid('The body is missing.');
  if (typeof ctx.is('json', '+json') !== 'string') {
    throw new AppError(
      'unsupported_media_type',
      'Send the body as JSON, with Content-Type: application/json.',
    );
  }
  const bytes = await readBytes(ctx, kilobytes * 1024, () => {
    return new AppError('body_too_large', `The body is larger than ${kilobytes} KB.`);
  });
  return bytes.length > large ? parsing.run(() => parseInTurn(bytes)) : parse(bytes);
}

/** Large bodies, one after the other: what waits holds a megabyte each. */
const parsing = createBounded({ atOnce: 1, waiting: 100 });

/** In a turn of the event loop of its own, and then a pause: whatever is sent, others have three quarters of the time. */
async function parseInTurn(bytes: Buffer): Promise<object> {
  await new Promise((resolve) => setImmediate(resolve));
  const started = performance.now();
  try {
    return parse(bytes);
  } finally {
    await wait(3 * (performance.now() - started));
  }
}

function parse(bytes: Buffer): object {
  checkShape(bytes);
  const body = read(bytes);
  if (typeof body !== 'object' || body === null) {
    throw invalid('The body is not valid: expected an object.');
  }
  checkTexts(body);
  return body;
}

function read(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8.');
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  // Without other characters it is the same, in a tenth of the time.
  const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8', marked ? 3 : 0);
  if (text.trim() === '') throw invalid('The body is empty.');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`The body is not valid JSON: ${messageOf(error).slice(0, 200)}`);
  }
}

/**
 * Refuses more brackets than may be open at once, and more parts than may stand in them; what is in strings counts for
 * nothing. Byte by byte, up to the first that is too many: an expression that matches whole strings can be made to try
 * each of them again and again.
 */
function checkShape(bytes: Buffer): void {
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
      if (++depth > deepest) throw invalid(`The body is nested more than ${deepest} levels deep.`);
    } else if (sign === signs.listEnd || sign === signs.objectEnd) depth -= 1;
    else if (sign === signs.comma && ++members > mostMembers) {
      throw invalid(`The body has more than ${mostMembers} keys and items.`);
    }
  }
}

function invalid(sentence: string): AppError {
  return new AppError('invalid_request', sentence);
}
