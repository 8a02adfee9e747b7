import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../openapi/document.js';

/** A field of a body, or a parameter, as a table row. */
export interface FieldRow {
  /** Dotted, with [] for list items: `data[].id`. */
  name: string;
  type: string;
  required: boolean;
  /** Allowed values, bounds and default, in words. */
  limits: string;
  description: string;
}

export type Resolve = (schema: JsonSchema) => JsonSchema;

/** Looks up named schemas. Attributes beside a reference override those of its target. */
export function resolver(components: Record<string, JsonSchema>): Resolve {
  return (schema) => {
    if (schema.$ref === undefined) return schema;
    const { $ref, ...beside } = schema;
    return { ...components[$ref.split('/').at(-1) ?? ''], ...beside };
  };
}

const deepest = 5;

/** The fields of a schema, one row each. The fields of a nested object follow the object. */
export function listFields(
  schema: JsonSchema,
  resolve: Resolve,
  prefix = '',
  depth = 0,
): FieldRow[] {
  const { inner, suffix } = unwrap(schema, resolve);
  if (depth > deepest) return [];
  return Object.entries(inner.properties ?? {}).flatMap(([key, field]) => {
    const name = `${prefix}${suffix}${prefix + suffix === '' ? '' : '.'}${key}`;
    const required = inner.required?.includes(key) ?? false;
    return [
      { name, required, ...describeField(field, resolve) },
      ...listFields(field, resolve, name, depth + 1),
    ];
  });
}

/** Type, limits and description of one schema. */
export function describeField(
  schema: JsonSchema,
  resolve: Resolve,
): Pick<FieldRow, 'type' | 'limits' | 'description'> {
  const { inner, suffix, nullable } = unwrap(schema, resolve);
  const type = `${typeOf(inner)}${suffix === '' ? '' : ' list'}${nullable ? ' or null' : ''}`;
  return {
    type,
    limits: limitsOf(resolve(schema), inner),
    description: resolve(schema).description ?? '',
  };
}

interface Unwrapped {
  /** The schema without null and without its lists. */
  inner: JsonSchema;
  /** `[]` for each list around the schema. */
  suffix: string;
  nullable: boolean;
}

function unwrap(schema: JsonSchema, resolve: Resolve): Unwrapped {
  const here = resolve(schema);
  const choices = here.anyOf ?? here.oneOf ?? [];
  const present = choices.filter((choice) => choice.type !== 'null');
  const [only] = present;
  if (only !== undefined && present.length === 1) {
    return { ...unwrap(only, resolve), nullable: true };
  }
  if (present.length > 1) {
    const shapes = present.map((choice) => unwrap(choice, resolve).inner);
    return { inner: combine(here, shapes), suffix: '', nullable: present.length < choices.length };
  }
  if (here.items !== undefined) {
    const { inner, suffix } = unwrap(here.items, resolve);
    return { inner, suffix: `[]${suffix}`, nullable: isNullable(here) };
  }
  return { inner: here, suffix: '', nullable: isNullable(here) };
}

/** Merges alternative objects into one. A field is required when every alternative has it. */
function combine(whole: JsonSchema, shapes: JsonSchema[]): JsonSchema {
  if (shapes.some(({ properties }) => properties === undefined)) return whole;
  const properties: Record<string, JsonSchema> = {};
  for (const shape of shapes) {
    for (const [name, field] of Object.entries(shape.properties ?? {})) {
      const known = properties[name];
      const isSame = known === undefined || isDeepStrictEqual(known, field);
      properties[name] = isSame ? field : { anyOf: [...(known.anyOf ?? [known]), field] };
    }
  }
  const required = Object.keys(properties).filter((name) =>
    shapes.every((shape) => shape.required?.includes(name)),
  );
  return { type: 'object', properties, required };
}

function isNullable({ type }: JsonSchema): boolean {
  return Array.isArray(type) && type.includes('null');
}

function typeOf({ type, anyOf, oneOf, contentMediaType, format }: JsonSchema): string {
  if (contentMediaType !== undefined) return `file, ${contentMediaType}`;
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ');
  const types = (Array.isArray(type) ? type : [type ?? 'any']).filter((name) => name !== 'null');
  // A field that is always null has no other type.
  const shown = types.length === 0 ? ['null'] : types;
  const names = shown.map((name) => (name === 'integer' ? 'whole number' : name)).join(' or ');
  return format === undefined ? names : `${names}, ${format}`;
}

function limitsOf(outer: JsonSchema, inner: JsonSchema): string {
  const allowed = allowedValues(inner);
  const parts = [
    allowed.join(', '),
    range(inner.minimum, inner.maximum, ''),
    range(inner.minLength, inner.maxLength, ' characters'),
    range(outer.minItems, outer.maxItems, ' items'),
    outer.default === undefined ? '' : `default ${JSON.stringify(outer.default)}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function allowedValues(schema: JsonSchema): string[] {
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  const own = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return [...own.filter((value) => value !== null).map(String), ...choices.flatMap(allowedValues)];
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  // zod gives every integer JavaScript's safe bounds, which mean nothing to a reader.
  const low = least === undefined || least <= -Number.MAX_SAFE_INTEGER ? undefined : least;
  const high = most === undefined || most >= Number.MAX_SAFE_INTEGER ? undefined : most;
  if (low !== undefined && high !== undefined) {
    return `${low.toLocaleString('en')} to ${high.toLocaleString('en')}${unit}`;
  }
  if (low !== undefined) return `at least ${low.toLocaleString('en')}${unit}`;
  return high === undefined ? '' : `at most ${high.toLocaleString('en')}${unit}`;
}
