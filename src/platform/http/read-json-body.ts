import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { AppError, messageOf } from '../errors.js';

/** Bytes of a JSON body at most. */
const limit = 1024 * 1024;

/**
 * The request's JSON body. Refuses with `unsupported_media_type` what does not say that it is JSON,
 * `body_too_large` over 1 MB, `invalid_request` what can't be parsed.
 */
export async function readJsonBody(ctx: Context): Promise<unknown> {
  if (ctx.is('json', '+json') === false || ctx.is('json', '+json') === null) {
    throw new AppError(
      'unsupported_media_type',
      'Send the body as JSON, with Content-Type: application/json.',
    );
  }
  if (ctx.request.length > limit) throw tooLarge();
  const parse = koaBody({
    multipart: false,
    urlencoded: false,
    text: false,
    jsonLimit: limit,
    jsonStrict: true,
    parsedMethods: ['POST', 'PUT', 'PATCH'] as never,
    onError(error) {
      if ((error as { status?: number }).status === 413) throw tooLarge();
      throw new AppError('invalid_request', `The body is not valid JSON: ${messageOf(error)}`);
    },
  });
  await parse(ctx, () => Promise.resolve());
  return (ctx.request as { body?: unknown }).body;
}

function tooLarge(): AppError {
  return new AppError('body_too_large', 'The body is larger than 1 MB.');
}
