import type { Context } from 'koa';
import { AppError, messageOf } from '../errors.js';
import { checkTexts } from './check-texts.js';
import { readBytes } from './read-bytes.js';

/** Objects and lists within one another at most. */
const deepest = 64;
/** Keys and items at most: checking more would hold up everybody else. A page's context has a few hundred. */
const mostMembers = 5000;

/**
 * The request's JSON body: an object or a list. `kilobytes` is what it may have at most, unpacked. Refuses with
 * `unsupported_media_type` what does not say that it is JSON, `body_too_large` what is larger, `invalid_request` what
 * is missing, no UTF-8, no JSON, nested more than 64 levels deep, of more than 5,000 keys and items, or has texts that
 * can't be stored.
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
  const body = parse(decode(bytes));
  if (typeof body !== 'object' || body === null) {
    throw invalid('The body is not valid: expected an object.');
  }
  checkTexts(body);
  return body;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('The body is not valid UTF-8.');
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') throw invalid('The body is empty.');
  const { depth, members } = shapeOf(text);
  if (depth > deepest) throw invalid(`The body is nested more than ${deepest} levels deep.`);
  if (members > mostMembers) {
    throw invalid(`The body has more than ${mostMembers} keys and items.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`The body is not valid JSON: ${messageOf(error).slice(0, 200)}`);
  }
}

/** How many brackets are open at once at most, and how many parts stand in them; strings count for nothing. */
function shapeOf(text: string): { depth: number; members: number } {
  let depth = 0;
  let most = 0;
  let members = 1;
  let quoted = false;
  // Sign by sign: an expression that matches whole strings can be made to try each of them again and again.
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') quoted = !quoted;
    else if (quoted && sign === '\\') at += 1;
    else if (quoted) continue;
    else if (sign === '[' || sign === '{') most = Math.max(most, ++depth);
    else if (sign === ']' || sign === '}') depth -= 1;
    else if (sign === ',') members += 1;
  }
  return { depth: most, members };
}

function invalid(sentence: string): AppError {
  return new AppError('invalid_request', sentence);
}
