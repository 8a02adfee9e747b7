import type { Operation } from '../operation.js';
import type { SchemaCollector } from './collect-schemas.js';
import { describeAccess, securityOf } from './describe-access.js';
import { describeRefusals, refusalsOf, refer } from './describe-refusals.js';
import type { OperationObject, Response, Content, JsonSchema, Parameter } from './document.js';
import type { z } from 'zod';
import { type LimitClass, isCounted } from '../request-limits.js';

/** Converts the path to OpenAPI's form: `/api/knowledge/{id}`. */
export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

/** The operation's id, derived from method and path: `getKnowledgeById` for GET /api/knowledge/:id. */
function operationIdOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  const words = path
    .replace(/^\/api\//, '/')
    .split('/')
    .filter((segment) => segment !== '')
    .flatMap((segment) => (segment.startsWith(':') ? ['by', segment.slice(1)] : [segment]))
    .flatMap((segment) => segment.split(/[^a-zA-Z0-9]+/));
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Descriptions of the additional rate limits. */
const limits = {
  message: 'It may use the model, so it has its own rate limit besides the general one.',
  request: 'People read each one, so it has its own rate limit besides the general one.',
  upload: 'Uploads have a rate limit of their own besides the general one.',
} satisfies Record<LimitClass, string>;

export function describeOperation(operation: Operation, schemas: SchemaCollector): OperationObject {
  const parameters = describeParameters(operation, schemas);
  const requestBody = describeBody(operation, schemas);
  return {
    operationId: operationIdOf(operation),
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.limit === undefined ? {} : { description: limits[operation.limit] }),
    'x-access': describeAccess(operation.access),
    'x-refusals': refusalsOf(operation),
    security: securityOf(operation.access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: merge(describeReplies(operation, schemas), describeRefusals(operation, schemas)),
  };
}

/** Merges two responses of one status: a reply and a refusal with different content types. */
function merge(
  replies: Record<string, Response>,
  refusals: Record<string, Response>,
): Record<string, Response> {
  const merged: Record<string, Response> = { ...replies };
  for (const [status, refusal] of Object.entries(refusals)) {
    const reply = replies[status];
    merged[status] = {
      description: reply ? `${reply.description}\n\n${refusal.description}` : refusal.description,
      headers: { ...reply?.headers, ...refusal.headers },
      content: { ...reply?.content, ...refusal.content },
    };
  }
  return merged;
}

function describeReplies(operation: Operation, schemas: SchemaCollector): Record<string, Response> {
  const { replies, produces, replyHeaders = [] } = operation;
  const responses = Object.entries(replies).map(([status, reply]): [string, Response] => {
    const json = contentOf(reply, [produces ?? []].flat(), schemas);
    const events = { 'text/event-stream': { schema: { type: 'string' } } };
    const content = operation.streams === true ? { ...json, ...events } : json;
    const headers = ['X-Request-Id'];
    if (isCounted(operation.path)) headers.push('RateLimit', 'RateLimit-Policy');
    if (status === '201') headers.push('Location');
    if (status !== '204') headers.push(...replyHeaders.filter((name) => !headers.includes(name)));
    const response = { description: meaningOfStatus(status), headers: refer(headers) };
    return [status, content === undefined ? response : { ...response, content }];
  });
  return Object.fromEntries(responses);
}

function contentOf(
  reply: z.ZodType | undefined,
  produces: readonly string[],
  schemas: SchemaCollector,
): Content | undefined {
  if (reply !== undefined) {
    const [type = 'application/json'] = produces;
    return { [type]: { schema: schemas.convert(reply, 'output') } };
  }
  if (produces.length === 0) return undefined;
  return Object.fromEntries(produces.map((type) => [type, { schema: { type: 'string' } }]));
}

function meaningOfStatus(status: string): string {
  const meanings: Record<string, string> = {
    200: 'Done.',
    201: 'Created; Location is its address.',
    202: 'Accepted: the work continues in the background.',
    204: 'Done; nothing is answered.',
    302: 'Go on at Location.',
    503: 'Not ready.',
  };
  return meanings[status] ?? 'Done.';
}

/** The parameters in path, query and headers. */
function describeParameters(operation: Operation, schemas: SchemaCollector): Parameter[] {
  return [
    ...pathParameters(operation, schemas),
    ...parametersOf(operation.query, 'query', schemas),
    ...ifMatch(operation),
  ];
}

function pathParameters({ path, params }: Operation, schemas: SchemaCollector): Parameter[] {
  const declared = parametersOf(params, 'path', schemas);
  return [...path.matchAll(/:(\w+)/g)].map(
    ([, name = '']) =>
      declared.find((parameter) => parameter.name === name) ?? {
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      },
  );
}

function parametersOf(
  declared: z.ZodType | undefined,
  place: 'path' | 'query',
  schemas: SchemaCollector,
): Parameter[] {
  if (declared === undefined) return [];
  const { properties = {}, required = [] } = schemas.convert(declared, 'input');
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

/** Operations that refuse lost updates accept the version that the caller has read. */
function ifMatch({ refusals }: Operation): Parameter[] {
  if (refusals?.includes('precondition_failed') !== true) return [];
  const description = 'The ETag that was read: refused with 412 when it has been changed since.';
  return [
    { name: 'If-Match', in: 'header', required: false, description, schema: { type: 'string' } },
  ];
}

/** The body: JSON, or a form with a file. */
function describeBody(
  { body, upload }: Operation,
  schemas: SchemaCollector,
): OperationObject['requestBody'] {
  if (body !== undefined) {
    const schema = schemas.convert(body, 'input');
    return { required: true, content: { 'application/json': { schema } } };
  }
  if (upload === undefined) return undefined;
  const { file, mediaType, fields } = upload;
  const { properties, required = [], ...rest } = schemas.convert(fields, 'input');
  const bytes: JsonSchema = { type: 'string', contentMediaType: mediaType };
  const schema = {
    ...rest,
    properties: { [file]: { ...bytes, description: 'The bytes of the file.' }, ...properties },
    required: [file, ...required],
  };
  const encoding = { [file]: { contentType: mediaType } };
  return { required: true, content: { 'multipart/form-data': { schema, encoding } } };
}
