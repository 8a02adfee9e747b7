import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { JsonSchema } from './document.js';

export interface SchemaCollector {
  components: Record<string, JsonSchema>;
  /** The JSON Schema of a schema's `input` or `output`, with references to its named parts. */
  convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema;
}

const inDefinitions = '#/$defs/';
const inComponents = '#/components/schemas/';

/**
 * Converts zod schemas to JSON Schemas. Schemas with `.meta({ id })` become components under that name. If input and
 * output differ, the second one gets the direction as a suffix. Throws when two schemas have the same name.
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

/** Copies a schema so that its references point to the document's components. */
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
