import { parse, stringify } from 'yaml';

/** The settings that hold secrets. `test/platform/config` compares this list with all settings. */
export const secretSettings = ['auth.secrets_key', 'mail.password', 'metrics.token'] as const;

/** Addresses that may contain a user name and password, or a key in their query, and are secret then. */
const addresses = ['database.url', 'ollama.url'] as const;
/** The name and password before the host. */
const credentials = /^([a-z]+:\/\/|).*@/i;
const query = /\?.*/s;

/**
 * A configuration file without its secrets, and the names of the removed settings. Comments are removed too, because
 * they may contain an old password.
 */
export function withoutSecrets(yaml: string): { text: string; leftOut: string[] } {
  const settings = (parse(yaml, { logLevel: 'error' }) ?? {}) as Record<
    string,
    Record<string, unknown> | null
  >;
  const leftOut: string[] = [];
  for (const path of secretSettings) {
    const [group, key, value] = valueAt(settings, path);
    if (value === undefined || value === null || value === '') continue;
    // The key is removed rather than emptied, so that its default applies.
    settings[group] = Object.fromEntries(
      Object.entries(settings[group] ?? {}).filter(([name]) => name !== key),
    );
    leftOut.push(path);
  }
  for (const path of addresses) {
    const [group, key, value] = valueAt(settings, path);
    if (typeof value !== 'string') continue;
    const plain = plainAddress(value);
    if (plain === value) continue;
    settings[group] = { ...settings[group], [key]: plain };
    leftOut.push(path);
  }
  return { text: stringify(settings), leftOut };
}

/** Replaces a secret in output. */
export const mask = '********';

/** A value for display: a secret is masked, and so are the name, the password and the query of an address. */
export function maskSecret(path: string, value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return value;
  if ((secretSettings as readonly string[]).includes(path)) return mask;
  if (!(addresses as readonly string[]).includes(path)) return value;
  return value.replace(credentials, `$1${mask}@`).replace(query, `?${mask}`);
}

/** True when a text about the value of a setting may quote a secret. */
export function mayQuoteSecret(path: string, text: string): boolean {
  return (
    (secretSettings as readonly string[]).includes(path) ||
    ((addresses as readonly string[]).includes(path) && /[@?]/.test(text))
  );
}

/** An address without the name, the password and the query. */
export function plainAddress(url: string): string {
  return url.replace(credentials, '$1').replace(query, '');
}

/** True when a configuration file contains a secret. Other users must then not be able to read it. */
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
