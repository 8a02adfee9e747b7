import { z } from 'zod';
import { isCounted } from '../request-limits.js';
import { meaningOf } from '../../error-meanings.js';
import { errorCodes, type ErrorCode } from '../../errors.js';
import type { Operation } from '../operation.js';
import type { DocumentedError, Response } from './document.js';
import type { SchemaCollector } from './collect-schemas.js';

const allCodes = Object.keys(errorCodes) as ErrorCode[];

/** The format of every error (RFC 9457). Clients ignore members that they do not know. */
const problem = z
  .looseObject({
    type: z.string().describe('urn:assistant:problem: and the code.'),
    title: z.string().describe('The code in words.'),
    status: z.int().min(400).max(599).describe('The HTTP status.'),
    detail: z.string().describe('A sentence that says what to do, for people.'),
    code: z.enum(allCodes as [ErrorCode, ...ErrorCode[]]).describe('Stable: for programs.'),
    errors: z
      .array(
        z.object({
          path: z.string().describe('The field as it was written, for example context.url.'),
          message: z.string().describe('The given value and the allowed values.'),
        }),
      )
      .optional()
      .describe('The fields at fault, when the input is.'),
    request_id: z.string().describe('Names the request in the logs; also in X-Request-Id.'),
  })
  .meta({ id: 'Problem' });

/** Errors that any operation may return. */
const everywhere: ErrorCode[] = [
  'method_not_allowed',
  'internal',
  'database_busy',
  'shutting_down',
];

/** The error codes that follow from an operation's access, shapes and declaration, in the order of the table. */
export function refusalsOf(operation: Operation): ErrorCode[] {
  const { access } = operation;
  // Every operation refuses unknown query parameters, even one that accepts none.
  const codes = new Set<ErrorCode>(['invalid_request', ...(operation.refusals ?? [])]);
  if (access !== 'anyone') codes.add('unauthenticated');
  if (access === 'widget') codes.add('origin_required').add('origin_not_allowed');
  else if (access === 'optional') codes.add('origin_not_allowed');
  else if (access !== 'anyone') codes.add('forbidden');
  if (operation.path.includes(':')) codes.add('not_found');
  if (operation.body !== undefined) codes.add('body_too_large').add('unsupported_media_type');
  // Compressed forms are refused.
  if (operation.upload !== undefined) codes.add('unsupported_media_type');
  return allCodes.filter((code) => codes.has(code));
}

/** One response for each error status. */
export function describeRefusals(
  operation: Operation,
  schemas: SchemaCollector,
): Record<string, Response> {
  const counted: ErrorCode[] = isCounted(operation.path) ? ['rate_limited'] : [];
  const codes = [...refusalsOf(operation), ...everywhere, ...counted];
  const statuses = [...new Set(codes.map((code) => errorCodes[code].status))].sort();
  const schema = schemas.convert(problem, 'output');
  const responses = statuses.map((status): [string, Response] => {
    const own = [...new Set(codes)].filter((code) => errorCodes[code].status === status);
    const response: Response = {
      description: own.map((code) => `\`${code}\`: ${meaningOf(code)}`).join('\n\n'),
      headers: refer(['X-Request-Id', ...(extraHeaders[status] ?? [])]),
      content: {
        'application/problem+json': { schema: { ...schema, properties: { code: { enum: own } } } },
      },
    };
    return [String(status), response];
  });
  return Object.fromEntries(responses);
}

const rateLimit = ['RateLimit', 'RateLimit-Policy'];
const extraHeaders: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After', ...rateLimit],
};

/** References to the document's headers. */
export function refer(names: string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );
}

/** Every error code, in the order of the table. */
export function documentedErrors(): DocumentedError[] {
  return allCodes.map((code) => ({
    code,
    status: errorCodes[code].status,
    meaning: meaningOf(code),
  }));
}
