/**
 * A plain value as JSON, whatever the page has made of `toJSON`: old libraries put one on Array.prototype, and
 * JSON.stringify would write a list of theirs as a text. Fields that are undefined are left out.
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
