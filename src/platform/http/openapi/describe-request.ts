import type { z } from 'zod';
import type { Operation } from '../operation.js';
import type { SchemaCollector } from './collect-schemas.js';
import type { JsonSchema, OperationObject, Parameter } from './document.js';

/** What an operation takes in its path, its query and its headers. */
export function describeParameters(operation: Operation, schemas: SchemaCollector): Parameter[] {
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
        ...{ name, in: 'path', required: true },
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

/** Where a lost update is refused, the version that the caller has read can be named. */
function ifMatch({ refusals }: Operation): Parameter[] {
  if (refusals?.includes('precondition_failed') !== true) return [];
  const description = 'The ETag that was read: refused with 412 when it has been changed since.';
  return [
    { name: 'If-Match', in: 'header', required: false, description, schema: { type: 'string' } },
  ];
}

/** What an operation takes as its body: JSON, or a form with a file. */
export function describeBody(
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
