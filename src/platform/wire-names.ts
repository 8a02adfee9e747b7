import type { z } from 'zod';

type CamelName<S> = S extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelName<Rest>>}`
  : S;

/** Converts the wire's `app_id` to `appId`. Names within nested objects stay unchanged. */
export type CamelKeys<T> = T extends object ? { [K in keyof T as CamelName<K>]: T[K] } : T;

function camelName(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Converts `appId` to the `app_id` of the wire and of columns. */
export function snakeName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts wire input to the names of the code. */
export function camelKeys<T>(given: T): CamelKeys<T> {
  if (typeof given !== 'object' || given === null) return given as CamelKeys<T>;
  const named = Object.entries(given).map(([name, value]) => [camelName(name), value] as const);
  return Object.fromEntries(named) as CamelKeys<T>;
}

/** Converts a record to its wire format. Only fields of the schema are shown, so that no new column can leak. */
export function presenter<S extends z.ZodObject>(
  schema: S,
): (record: CamelKeys<z.output<S>>) => z.output<S> {
  const names = Object.keys(schema.shape).map((name) => [name, camelName(name)] as const);
  return (record) => {
    const fields = record as Record<string, unknown>;
    return Object.fromEntries(names.map(([name, field]) => [name, fields[field]])) as z.output<S>;
  };
}
