import type { Operation } from '../operation.js';
import type { LimitClass } from '../request-limits.js';
import type { SchemaCollector } from './collect-schemas.js';
import { describeAccess, securityOf } from './describe-access.js';
import { describeRefusals, refusalsOf } from './describe-refusals.js';
import { describeReplies } from './describe-replies.js';
import { describeBody, describeParameters } from './describe-request.js';
import type { OperationObject, Response } from './document.js';

/** The path as OpenAPI writes it: `/api/knowledge/{id}`. */
export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

/**
 * The name of an operation, derived from method and path and so as stable as they are: `getKnowledgeById`
 * for GET /api/knowledge/:id.
 */
export function operationIdOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  const words = path
    .replace(/^\/api\//, '/')
    .split('/')
    .filter((segment) => segment !== '')
    .flatMap((segment) => (segment.startsWith(':') ? ['by', segment.slice(1)] : [segment]))
    .flatMap((segment) => segment.split(/[^a-zA-Z0-9]+/));
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** What is said of operations that count against a limit of their own. */
const limits = {
  message: 'It may occupy the model: besides all requests, these are limited on their own.',
  request: 'People read each of them: besides all requests, these are limited on their own.',
  upload: 'Uploads are limited on their own, besides all requests.',
} satisfies Record<LimitClass, string>;

/** One declared endpoint as the operation of an OpenAPI document. */
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

/** A status may both be a reply and a refusal: then it comes in two content types. */
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
