import { readTemplate } from '../../package-root.js';
import { tags, type Operation, type Tag } from '../operation.js';
import { collectSchemas } from './collect-schemas.js';
import { securitySchemes } from './describe-access.js';
import { describeOperation, templateOf } from './describe-operation.js';
import { documentedErrors } from './describe-refusals.js';
import type { OpenApiDocument } from './document.js';

const text = { type: 'string' };

const headers = {
  'X-Request-Id': { description: 'Names the request in the logs.', schema: text },
  Location: { description: 'The path of the created record or the started work.', schema: text },
  'Set-Cookie': { description: 'Proves that a sign-in ends in this browser.', schema: text },
  ETag: { description: 'The version of the record, for If-Match.', schema: text },
  Allow: { description: 'The methods that the path has.', schema: text },
  'WWW-Authenticate': { description: 'Bearer.', schema: text },
  'Retry-After': {
    description: 'In how many seconds to try again.',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Policy': {
    description: 'The limits that count this request: q requests in w seconds. None, no header.',
    schema: text,
  },
  RateLimit: {
    description: 'For each limit: r requests remain, and all are available again in t seconds.',
    schema: text,
  },
};

const tagDescriptions: Record<Tag, string> = {
  Knowledge: 'Knowledge entries, their versions, and the entries of a page.',
  Ingestion: 'PDFs, turned into draft entries in the background, to be approved.',
  Requests: 'Questions without an answer: filed, answered by a person, and notified.',
  Notifications: 'Notifications of users, and their delivery.',
  Conversations: 'Questions about a page, answered from the knowledge with sources.',
  Account: 'Signing in, and what a user does with their own account.',
  Administration: 'Organizations, apps, domains, users, keys, usage and the record of changes.',
  Widget: 'Calls of the widget on a host’s page, and of that host’s backend.',
  Service: 'The state of the service, and its description.',
};

/** Describes the API from the declarations that also route and validate its requests. */
export function describeApi(operations: readonly Operation[], version: string): OpenApiDocument {
  const schemas = collectSchemas();
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    const path = (paths[templateOf(operation.path)] ??= {});
    path[operation.method] = describeOperation(operation, schemas);
  }
  const used = tags.filter((tag) => operations.some((operation) => operation.tag === tag));
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Assistant',
      version,
      description: readTemplate('docs/introduction.md').trim(),
    },
    servers: [{ url: '/', description: 'The server that answers with this document.' }],
    tags: used.map((name) => ({ name, description: tagDescriptions[name] })),
    paths,
    components: { schemas: schemas.components, headers, securitySchemes },
    'x-error-codes': documentedErrors(),
  };
}
