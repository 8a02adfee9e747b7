import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import type { Operation } from '../../src/platform/http/operation.js';
import type { WireAnswer } from './send.js';

/** The declared replies as JSON Schemas that accept only declared fields. */
export class ReplyShapes {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  private readonly compiled = new Map<z.ZodType, ValidateFunction>();

  validatorOf(schema: z.ZodType): ValidateFunction {
    const known = this.compiled.get(schema);
    if (known !== undefined) return known;
    const { $schema: _, ...plain } = z.toJSONSchema(schema, {
      io: 'output',
      unrepresentable: 'any',
    });
    const validator = this.ajv.compile(closed(plain) as object);
    this.compiled.set(schema, validator);
    return validator;
  }
}

/** The schema, in which every object accepts only its named properties. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [
    key,
    // Names below `properties` are field names, not keywords of JSON Schema, even if one is `properties`.
    key === 'properties' ? closedEach(value as object) : closed(value),
  ]);
  const node = Object.fromEntries(entries) as Record<string, unknown>;
  // Two schemas with the same `$id` would collide.
  delete node['id'];
  delete node['$id'];
  if (node['properties'] !== undefined) node['additionalProperties'] ??= false;
  return node;
}

function closedEach(properties: object): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, closed(value)]),
  );
}

/** Checks the status, content type and fields of a success against the declaration of its operation. */
export function checkSuccess(operation: Operation, answer: WireAnswer, shapes: ReplyShapes): void {
  const { status, headers, text } = answer;
  assert.ok(status in operation.replies, `${status} is no declared answer`);
  const schema = operation.replies[status];
  const type = String(headers['content-type'] ?? '');
  if (schema === undefined) {
    const declared = [operation.produces ?? []].flat();
    if (declared.length === 0) assert.equal(text, '', 'an empty answer that is not empty');
    else
      assert.ok(
        declared.some((one) => type.startsWith(one)),
        `${type}, not ${declared.join()}`,
      );
    return;
  }
  assert.match(type, /^application\/json/);
  const validate = shapes.validatorOf(schema);
  const fits = validate(JSON.parse(text));
  assert.ok(fits, `not as declared: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
  if (status === 201) assert.ok(headers['location'] !== undefined, 'a 201 without a Location');
}
