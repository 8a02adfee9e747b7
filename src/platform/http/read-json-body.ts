import type { Context } from 'koa';
import { AppError, messageOf } from '../errors.js';
import { checkTexts } from './check-texts.js';
import { readBytes } from './read-bytes.js';

/** Bytes of a JSON body at most, unpacked. */
const limit = 1024 * 1024;
/** Objects and lists within one another at most. */
const deepest = 64;

/**
 * The request's JSON body: an object or a list. Refuses with `unsupported_media_type` what does not say that
 * it is JSON, `body_too_large` over 1 MB, `invalid_request` what is missing, no UTF-8, no JSON, nested more
 * than 64 levels deep, or has texts that can't be stored.
 */
export async function readJsonBody(ctx: Context): Promise<unknown> {
  const { 'transfer-encoding': chunked, 'content-length': length = '0' } = ctx.req.headers;
  if (chunked === undefined && Number(length) === 0) throw invalid('The body is missing.');
  if (typeof ctx.is('json', '+json') !== 'string') {
    throw new AppError(
      'unsupported_media_type',
      'Send the body as JSON, with Content-Type: application/json.',
    );
  }
  const bytes = await readBytes(ctx, limit, () => {
    return new AppError('body_too_large', 'The body is larger than 1 MB.');
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
  if (depthOf(text) > deepest) {
    throw invalid(`The body is nested more than ${deepest} levels deep.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`The body is not valid JSON: ${messageOf(error).slice(0, 200)}`);
  }
}

/** How many brackets are open at once at most; those within strings count for nothing. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  let quoted = false;
  // Sign by sign: an expression that matches whole strings can be made to try each of them again and again.
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') quoted = !quoted;
    else if (quoted && sign === '\\') at += 1;
    else if (quoted) continue;
    else if (sign === '[' || sign === '{') most = Math.max(most, ++depth);
    else if (sign === ']' || sign === '}') depth -= 1;
  }
  return most;
}

function invalid(sentence: string): AppError {
  return new AppError('invalid_request', sentence);
}
