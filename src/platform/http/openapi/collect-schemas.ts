import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { JsonSchema } from './document.js';

export interface SchemaCollector {
  /** The named schemas that were met so far. */
  components: Record<string, JsonSchema>;
  /** The JSON Schema of what a schema takes (`input`) or gives (`output`), its named parts as references. */
  convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema;
}

const inDefinitions = '#/$defs/';
const inComponents = '#/components/schemas/';

/**
 * Turns zod schemas into JSON Schemas. Those with `.meta({ id })` become components under that name. One that
 * takes something else than it gives is met in two shapes: the second gets the direction as a suffix.
 * Throws where two schemas claim one name: a mistake in a declaration.
 */
export function collectSchemas(): SchemaCollector {
  const components: Record<string, JsonSchema> = {};

  function nameFor(id: string, shape: JsonSchema, io: 'input' | 'output'): string {
    for (const name of [id, id + (io === 'input' ? 'Input' : 'Output')]) {
      const known = components[name];
      if (known === undefined || isDeepStrictEqual(known, pointTo(shape, plainName))) return name;
    }
    throw new Error(`Two different schemas are named ${id}: give one of them another id.`);
  }

  return {
    components,
    convert(schema, io) {
      const made = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema & {
        $schema?: string;
        $defs?: Record<string, JsonSchema>;
      };
      const { $schema: _, $defs: definitions = {}, ...whole } = made;
      const names = new Map(
        Object.entries(definitions).map(([id, shape]) => [id, nameFor(id, shape, io)]),
      );
      const rename = (id: string) => names.get(id) ?? id;
      for (const [id, shape] of Object.entries(definitions)) {
        components[rename(id)] ??= pointTo(shape, rename);
      }
      return pointTo(whole, rename);
    },
  };
}

function plainName(id: string): string {
  return id;
}

/** A copy in which references lead to the components of the document. */
function pointTo<T>(node: T, rename: (id: string) => string): T {
  if (Array.isArray(node)) return node.map((item: unknown) => pointTo(item, rename)) as T;
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.entries(node).map(([key, value]: [string, unknown]) => {
    const reference =
      key === '$ref' && typeof value === 'string' && value.startsWith(inDefinitions);
    if (reference) return [key, inComponents + rename(value.slice(inDefinitions.length))];
    return [key, pointTo(value, rename)];
  });
  return Object.fromEntries(copy) as T;
}
