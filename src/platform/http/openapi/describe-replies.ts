import type { z } from 'zod';
import type { Operation } from '../operation.js';
import { isCounted } from '../request-limits.js';
import type { SchemaCollector } from './collect-schemas.js';
import { refer } from './describe-refusals.js';
import type { Content, Response } from './document.js';

/** A response for each success that an operation declares. */
export function describeReplies(
  operation: Operation,
  schemas: SchemaCollector,
): Record<string, Response> {
  const { replies, produces, replyHeaders = [] } = operation;
  const responses = Object.entries(replies).map(([status, reply]): [string, Response] => {
    const json = contentOf(reply, produces, schemas);
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
  produces: string | undefined,
  schemas: SchemaCollector,
): Content | undefined {
  if (reply !== undefined) {
    return { [produces ?? 'application/json']: { schema: schemas.convert(reply, 'output') } };
  }
  return produces === undefined ? undefined : { [produces]: { schema: { type: 'string' } } };
}

function meaningOfStatus(status: string): string {
  const meanings: Record<string, string> = {
    200: 'Done.',
    201: 'Created; Location says where it is.',
    202: 'Accepted: the work goes on in the background.',
    204: 'Done; nothing is answered.',
    302: 'Go on at Location.',
    503: 'Not ready.',
  };
  return meanings[status] ?? 'Done.';
}
