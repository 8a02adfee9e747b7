import { z } from 'zod';
import { AppError } from '../platform/errors.js';
import { packageVersion, readTemplate } from '../platform/package-root.js';
import { renderDocs } from '../platform/http/docs/render-docs.js';
import { describeApi } from '../platform/http/openapi/describe-api.js';
import { operation, type Operation } from '../platform/http/operation.js';

/** Allows only the page's style sheet: the page needs no script and no other address. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** Serves the API description for programs and people; created at the first request, then cached. */
export function docsOperations(operations: () => readonly Operation[]): Operation[] {
  const describe = once(() => describeApi(operations(), packageVersion()));
  const page = once(() => renderDocs(describe(), readTemplate('docs/page.html')));
  const style = once(() => readTemplate('docs/style.css'));
  return [
    operation({
      method: 'get',
      path: '/api/openapi.json',
      tag: 'Service',
      summary: 'The interface as an OpenAPI 3.1 document',
      access: 'anyone',
      replies: { 200: z.looseObject({ openapi: z.string().describe('3.1.0') }) },
      handle: () => Promise.resolve({ body: describe() }),
    }),
    operation({
      method: 'get',
      path: '/api/docs',
      tag: 'Service',
      summary: 'The interface as a page to read',
      access: 'anyone',
      replies: { 200: undefined },
      produces: 'text/html',
      handle: () =>
        Promise.resolve({
          body: page(),
          headers: pageHeaders,
        }),
    }),
    operation({
      method: 'get',
      path: '/',
      tag: 'Service',
      summary: 'A page for people who open the server in a browser',
      access: 'anyone',
      // Any query string still means the one page.
      ignoresQuery: true,
      replies: { 200: undefined },
      produces: 'text/html',
      refusals: ['not_found'],
      handle(_app, { ctx }) {
        ctx.vary('Accept');
        // Programs that accept everything still get the usual "not found".
        if (ctx.accepts('json', 'html') !== 'html')
          throw new AppError('not_found', 'There is nothing at /.');
        return Promise.resolve({
          body: readTemplate('docs/home.html').replace('{{version}}', packageVersion()),
          headers: pageHeaders,
        });
      },
    }),
    operation({
      method: 'get',
      path: '/api/docs/style.css',
      tag: 'Service',
      summary: 'The style sheet of that page',
      access: 'anyone',
      replies: { 200: undefined },
      produces: 'text/css',
      handle: () =>
        Promise.resolve({
          body: style(),
          headers: { 'Content-Type': 'text/css; charset=utf-8' },
        }),
    }),
  ];
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
