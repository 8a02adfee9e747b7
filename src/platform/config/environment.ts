import type { z } from 'zod';
import type { FieldProblem } from '../errors.js';
import { closestWord } from '../text/closest-word.js';
import { configSchema } from './schema.js';

const prefix = 'ASSISTANT_';
/** Variables with the prefix that are not settings. */
const others = new Set(['ASSISTANT_CONFIG', 'ASSISTANT_PASSWORD', 'ASSISTANT_TOKEN']);

/** Each setting's environment variable with its path, e.g. ASSISTANT_SERVER_PORT → ['server', 'port']. */
export function settingVariables(): Map<string, [string, string]> {
  const variables = new Map<string, [string, string]>();
  for (const [group, schema] of Object.entries(configSchema.shape)) {
    for (const key of Object.keys(keysOf(schema))) {
      variables.set(`${prefix}${group}_${key}`.toUpperCase(), [group, key]);
    }
  }
  return variables;
}

/**
 * Merges environment variables over the settings. The type of the key decides how the text is read. Numbers and
 * `true`/`false` are read by form, lists by commas, and mappings as `name=days,…`. `null` or an empty text means null;
 * all else is text. A variable with the prefix that names no setting is a problem, like an unknown key in the file: a
 * typo must not go unnoticed.
 */
export function readEnvironment(
  settings: unknown,
  env: NodeJS.ProcessEnv,
): { settings: unknown; problems: FieldProblem[] } {
  const variables = settingVariables();
  const problems: FieldProblem[] = [];
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    return { settings, problems };
  }
  // YAML reads a group whose keys are all commented out as null. It means the same as a missing group.
  const merged: Record<string, unknown> = Object.fromEntries(
    Object.entries(settings).filter(([, group]) => group !== null),
  );
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(prefix) || others.has(name) || text === undefined) continue;
    const path = variables.get(name);
    if (path === undefined) {
      const hint = closestWord(name, [...variables.keys()]);
      const message = `no setting has this environment variable${hint === undefined ? '' : `; did you mean ${hint}?`}`;
      problems.push({ path: name, message });
      continue;
    }
    const [group, key] = path;
    const present = merged[group];
    // A group that is not a mapping stays unchanged: the schema refuses it by name.
    if (present !== undefined && (typeof present !== 'object' || present === null)) continue;
    merged[group] = { ...present, [key]: readValue(text, typeOf([group, key])) };
  }
  return { settings: merged, problems };
}

/** Reads the text of a setting, in the form that environment variables have: `['server', 'port'], '80'` → 80. */
export function readSetting(keys: readonly string[], text: string): unknown {
  return readValue(text, typeOf(keys));
}

function readValue(text: string, type: string): unknown {
  if (type === 'array') return text === '' ? [] : text.split(',').map((item) => item.trim());
  if (type === 'object') {
    const pairs = text === '' ? [] : text.split(',').map((pair) => pair.split('='));
    return Object.fromEntries(
      pairs.map(([name = '', value]) => [name.trim(), readValue(value ?? '', 'number')]),
    );
  }
  if (type !== 'string' && (text === '' || text === 'null')) return null;
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

interface Unwrappable {
  def: { type: string; innerType?: Unwrappable };
}

/** The type without its defaults and nullables, e.g. `number`. */
function typeOf(keys: readonly string[]): string {
  let schema: Unwrappable | undefined = configSchema;
  for (const key of keys) schema = keysOf(schema)[key];
  let nullable = false;
  while (schema?.def.innerType !== undefined) {
    nullable ||= schema.def.type === 'nullable';
    schema = schema.def.innerType;
  }
  const type = schema?.def.type ?? 'string';
  return nullable && type === 'string' ? 'nullable string' : type;
}

function keysOf(schema: z.ZodType | Unwrappable | undefined): Record<string, Unwrappable> {
  if (schema === undefined) return {};
  let inner = schema as Unwrappable & { shape?: Record<string, Unwrappable> };
  while (inner.shape === undefined && inner.def.innerType !== undefined) {
    inner = inner.def.innerType;
  }
  return inner.shape ?? {};
}
