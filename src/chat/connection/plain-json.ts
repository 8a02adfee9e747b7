/**
 * Serializes a plain value as JSON, even if the page has defined `toJSON`: old libraries add one to Array.prototype,
 * and JSON.stringify would then write a list as a text. Undefined fields are omitted.
 */
export function toJson(value: unknown): string {
  if (value === undefined) return 'null';
  if (Array.isArray(value)) return `[${value.map((one) => toJson(one)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const given = value as Record<string, unknown>;
  const fields = Object.keys(given).map((name) => [name, given[name]] as const);
  return `{${fields
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => `${JSON.stringify(name)}:${toJson(field)}`)
    .join()}}`;
}
