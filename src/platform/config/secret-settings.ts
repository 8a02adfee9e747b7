import { parse, stringify } from 'yaml';

/** The settings that are secrets: `test/platform/config` holds the list against the names of all settings. */
export const secretSettings = ['auth.secrets_key', 'mail.password', 'metrics.token'] as const;

/** Addresses that may hold a name and a password before the host, which are secrets then. */
const addresses = ['ollama.url'] as const;

/**
 * The settings of a configuration file without its secrets, and which were left out. Comments go too: a password that
 * was commented out is one still.
 */
export function withoutSecrets(yaml: string): { text: string; leftOut: string[] } {
  const settings = (parse(yaml) ?? {}) as Record<string, Record<string, unknown> | null>;
  const leftOut: string[] = [];
  for (const path of secretSettings) {
    const [group, key, value] = valueAt(settings, path);
    if (value === undefined || value === null || value === '') continue;
    // Gone, not emptied: what is left out keeps its default.
    settings[group] = Object.fromEntries(
      Object.entries(settings[group] ?? {}).filter(([name]) => name !== key),
    );
    leftOut.push(path);
  }
  for (const path of addresses) {
    const [group, key, value] = valueAt(settings, path);
    if (typeof value !== 'string') continue;
    const plain = value.replace(/^([a-z]+:\/\/|).*@/i, '$1');
    if (plain === value) continue;
    settings[group] = { ...settings[group], [key]: plain };
    leftOut.push(path);
  }
  return { text: stringify(settings), leftOut };
}

/** Whether a configuration file holds any secret: others must not be able to read it then. */
export function holdsSecrets(yaml: string): boolean {
  return withoutSecrets(yaml).leftOut.length > 0;
}

function valueAt(
  settings: Record<string, Record<string, unknown> | null>,
  path: string,
): [group: string, key: string, value: unknown] {
  const [group = '', key = ''] = path.split('.');
  return [group, key, settings[group]?.[key]];
}
