import fc from 'fast-check';
import { z } from 'zod';

/** The part of JSON Schema that the declarations use. */
export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  default?: unknown;
  $ref?: string;
  $defs?: Record<string, Schema>;
}

/** The JSON Schema of what a client may send. */
export function inputSchema(declared: z.ZodType): Schema {
  return z.toJSONSchema(declared, { io: 'input', unrepresentable: 'any' }) as Schema;
}

/** Values for a field by its name, if its schema is too general. */
export type Naming = (name: string, schema: Schema) => fc.Arbitrary<unknown> | undefined;

/** Values that fit a schema. */
export function valueOf(
  schema: Schema,
  naming: Naming,
  name = '',
  root = schema,
): fc.Arbitrary<unknown> {
  const named = naming(name, schema);
  if (named !== undefined) return named;
  const inner = (child: Schema, as = name) => valueOf(child, naming, as, root);
  if (schema.$ref !== undefined) return inner(resolve(schema.$ref, root));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return fc.oneof(...options.map((option) => inner(option)));
  if (schema.allOf !== undefined)
    return inner(Object.assign({}, ...(schema.allOf as object[])) as Schema);
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => inner({ ...schema, type })));
  switch (schema.type) {
    case 'object':
      return objectOf(schema, inner);
    case 'array':
      return fc.array(inner(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'string':
      return stringOf(schema);
    case 'integer':
      return fc.integer(boundsOf(schema));
    case 'number':
      return fc.double({ ...boundsOf(schema), noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function resolve(reference: string, root: Schema): Schema {
  const found = root.$defs?.[reference.replace('#/$defs/', '')];
  if (found === undefined) throw new Error(`the schema has no ${reference}`);
  return found;
}

function objectOf(
  schema: Schema,
  inner: (child: Schema, name: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0 && typeof schema.additionalProperties === 'object') {
    const key = fc.stringMatching(/^[a-z]{1,8}$/);
    return fc.dictionary(key, inner(schema.additionalProperties, ''), { maxKeys: 4 });
  }
  const fields = properties.map(([name, child]) => {
    const required = schema.required?.includes(name) === true;
    return [name, required ? inner(child, name) : sometimes(inner(child, name))] as const;
  });
  return fc.record(Object.fromEntries(fields)).map(withoutAbsent);
}

/** Present in one object of three. With more filters at once, most lists would be empty. */
function sometimes(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 2 },
    { arbitrary: value, weight: 1 },
  );
}

function withoutAbsent(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Valid values use 32 bits at most. The faults send larger ones. */
function boundsOf({ minimum, maximum, exclusiveMinimum }: Schema): { min: number; max: number } {
  const least = minimum ?? (exclusiveMinimum === undefined ? -1000 : exclusiveMinimum + 1);
  const min = Math.max(least, -2_147_483_648);
  return { min, max: Math.max(min, Math.min(maximum ?? 1000, 2_147_483_647)) };
}

const words = [
  'pump',
  'oil',
  'Ärger',
  '測試',
  'día',
  '😀',
  '"',
  "'; --",
  '<b>',
  '%',
  '\\',
  '{}',
  '1',
];

function stringOf({
  format,
  pattern,
  minLength = 0,
  maxLength = 200,
}: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'email') return fc.constantFrom('a.b@mail.example', 'x+y@sub.mail.example');
  const year2026 = {
    min: new Date('2026-01-01'),
    max: new Date('2026-12-31'),
    noInvalidDate: true,
  };
  if (format === 'date-time') return fc.date(year2026).map((date) => date.toISOString());
  if (format === 'date') {
    const usual = fc.date(year2026).map((date) => date.toISOString().slice(0, 10));
    const edges = fc.constantFrom('0000-01-01', '0001-01-01', '1582-10-10', '9999-12-31');
    return fc.oneof({ arbitrary: usual, weight: 5 }, { arbitrary: edges, weight: 1 });
  }
  if (format === 'uri') return fc.constantFrom('https://hooks.example/x', 'http://127.0.0.1:1/');
  const matches = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  // A pattern that accepts plain words only excludes something. Values for any other pattern are made from it.
  if (matches?.test('pump oil') === false) return fc.stringMatching(matches);
  const fits = (text: string) =>
    text.length >= minLength && text.length <= maxLength && matches?.test(text) !== false;
  const phrase = fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join(' '));
  const any = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) });
  const longest = fc.constant('x'.repeat(Math.min(maxLength, 8000)));
  const branches = [
    { arbitrary: phrase.filter(fits), weight: 6 },
    { arbitrary: any.filter(fits), weight: 3 },
    { arbitrary: longest, weight: 1 },
  ];
  // A phrase that never fits would be generated forever.
  return fc.oneof(...(minLength > 20 || maxLength < 30 ? branches.slice(1) : branches));
}
