import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { z } from 'zod';
import { AppError } from '../errors.js';
import { packageRoot } from '../package-root.js';
import { didYouMean } from '../text/closest-word.js';
import { configSchema } from './schema.js';

/** One setting, as the schema declares it. */
export interface Setting {
  /** As people name it: `server.port`. */
  path: string;
  keys: string[];
  /** The environment variable that overrides the file. The one of `privacy.retention.usage` holds the whole group. */
  variable: string;
  /** In words, with the bounds: `a whole number from 0 to 65535`. */
  type: string;
  /** The only allowed values; empty when others are allowed. */
  choices: string[];
  /** `milliseconds`, `MB`; undefined if it has no unit. */
  unit: string | undefined;
  byDefault: unknown;
}

interface Declared {
  type?: string | string[];
  properties?: Record<string, Declared>;
  anyOf?: Declared[];
  items?: Declared;
  enum?: string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

/** Every setting, in the order of the schema. */
export function listSettings(): Setting[] {
  return settingsIn(z.toJSONSchema(configSchema, { unrepresentable: 'any' }) as Declared, []);
}

/** Errors: `not_found` for a name that no setting has, naming the nearest one. */
export function getSetting(path: string): Setting {
  const settings = listSettings();
  const found = settings.find((one) => one.path === path);
  if (found !== undefined) return found;
  const names = settings.map((one) => one.path);
  const below = names.filter((name) => name.startsWith(`${path}.`));
  const hint =
    below.length > 0
      ? ` It is a group, with: ${below.join(', ')}.`
      : didYouMean(path, names) || ' All are listed by: assistant config explain';
  throw new AppError('not_found', `There is no setting ${path}.${hint}`);
}

function settingsIn({ properties = {} }: Declared, above: string[]): Setting[] {
  return Object.entries(properties).flatMap(([name, declared]) => {
    const keys = [...above, name];
    if (declared.properties !== undefined) return settingsIn(declared, keys);
    const { type, choices } = describe(declared);
    const variable = `ASSISTANT_${keys.slice(0, 2).join('_')}`.toUpperCase();
    const { default: byDefault } = declared;
    return [{ path: keys.join('.'), keys, variable, type, choices, unit: unitOf(keys), byDefault }];
  });
}

function describe(declared: Declared): { type: string; choices: string[] } {
  const { type, anyOf = [], items } = declared;
  const types = Array.isArray(type) ? type : [type];
  const inner = anyOf.find((one) => one.type !== 'null') ?? { ...declared, type: types[0] ?? '' };
  const isNullable = types.includes('null') || anyOf.some((one) => one.type === 'null');
  if (isNullable) return { type: `${describe(inner).type}, or null`, choices: [] };
  if (items !== undefined) {
    const { choices } = describe(items);
    const of = choices.length > 0 ? `, each one of ${choices.join(', ')}` : '';
    return { type: `a list, separated by commas${of}`, choices: [] };
  }
  if (declared.enum !== undefined) {
    return { type: `one of ${declared.enum.join(', ')}`, choices: declared.enum };
  }
  if (type === 'boolean') return { type: 'true or false', choices: ['true', 'false'] };
  if (type === 'string') {
    const { minLength = 0, maxLength } = declared;
    const range = rangeOf(minLength > 1 ? minLength : undefined, maxLength).replace('from ', '');
    return { type: range === '' ? 'a text' : `a text of${range} characters`, choices: [] };
  }
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  return { type: `${kind}${rangeOf(declared.minimum, declared.maximum)}`, choices: [] };
}

function rangeOf(least: number | undefined, most: number | undefined): string {
  // The bound of whole numbers in JavaScript is no bound that anybody chose.
  if (most === undefined || most === Number.MAX_SAFE_INTEGER) {
    return least === undefined ? '' : ` ${least} or more`;
  }
  return least === undefined ? ` at most ${most}` : ` from ${least} to ${most}`;
}

/** The names of settings end with their unit. */
const units: [RegExp, string][] = [
  [/_ms$/, 'milliseconds'],
  [/_minutes$/, 'minutes'],
  [/_hours$/, 'hours'],
  [/_days$|^privacy\.retention\./, 'days'],
  [/_mb(?:_at_once)?$/, 'MB'],
  [/_chars$/, 'characters'],
  [/_pages$/, 'pages'],
  [/num_ctx$|_tokens$/, 'tokens'],
  [/_per_minute$/, 'each minute'],
];

function unitOf(keys: string[]): string | undefined {
  return units.find(([name]) => name.test(keys.join('.')))?.[1];
}

/** The meaning of each setting: the comment above it in config.example.yaml, the only place that documents it. */
export function readMeanings(): Map<string, string> {
  const text = readFileSync(join(packageRoot(), 'config.example.yaml'), 'utf8');
  const meanings = new Map<string, string>();
  const collect = (map: YAMLMap, above: string[]) => {
    for (const [index, { key, value }] of map.items.entries()) {
      if (!isScalar(key)) continue;
      const path = [...above, String(key.value)];
      // yaml gives the comment above the first key to the whole group.
      const comment = key.commentBefore ?? (index === 0 ? map.commentBefore : undefined) ?? '';
      meanings.set(path.join('.'), comment.trim().replaceAll(/\s*\n\s*/g, ' '));
      if (isMap(value)) collect(value, path);
    }
  };
  const { contents } = parseDocument(text);
  if (isMap(contents)) collect(contents, []);
  return meanings;
}

/** The value at a path of keys; undefined where there is none. */
export function valueAt(config: unknown, keys: readonly string[]): unknown {
  let value = config;
  for (const key of keys) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value;
}
