import type { Context } from 'koa';
import { AppError } from '../errors.js';
import { checkTexts } from './check-texts.js';
import { parseJson } from './parse-json.js';
import { readBytes } from './read-bytes.js';

/**
 * The request's JSON body: an object or a list. `kilobytes` is what it may have at most, unpacked. Refuses with
 * `unsupported_media_type` what does not say that it is JSON, `body_too_large` what is larger, `invalid_request` what
 * is missing or has texts that can't be stored; what parseJson refuses.
 */
export async function readJsonBody(ctx: Context, kilobytes: number): Promise<unknown> {
  const { 'transfer-encoding': chunked, 'content-length': length = '0' } = ctx.req.headers;
  if (chunked === undefined && Number(length) === 0) {
    throw new AppError('invalid_request', 'The body is missing.');
  }
  if (typeof ctx.is('json', '+json') !== 'string') {
    throw new AppError(
      'unsupported_media_type',
      'Send the body as JSON, with Content-Type: application/json.',
    );
  }
  const bytes = await readBytes(ctx, kilobytes * 1024, () => {
    return new AppError('body_too_large', `The body is larger than ${kilobytes} KB.`);
  });
  return parseJson(bytes, 'body', (value) => {
    checkTexts(value);
    return value;
  });
}
