import type { AssistantConfig } from './api-types.js';

type WithDefault =
  | ('apiUrl' | 'wsUrl' | 'position' | 'theme' | 'language' | 'zIndex')
  | ('autoOpen' | 'collapsed' | 'piiMasking' | 'formValues' | 'userAuth');

/** The configuration with its defaults. `language` is unresolved, and `apiUrl` has no final slash. */
export type ResolvedOptions = Required<Pick<AssistantConfig, WithDefault>> & {
  [K in Exclude<keyof AssistantConfig, WithDefault>]: AssistantConfig[K] | undefined;
};

/** Parses a given value; undefined when it is invalid. `allowed` describes valid values. */
interface Rule {
  allowed: string;
  read: (given: unknown) => unknown;
}

const text: Rule = {
  allowed: 'a text',
  read: (given) => (typeof given === 'string' && given !== '' ? given : undefined),
};
const flag: Rule = {
  allowed: 'true or false',
  read: (given) =>
    given === '' || given === true || given === 'true'
      ? true
      : given === false || given === 'false'
        ? false
        : undefined,
};
const oneOf = (...values: string[]): Rule => ({
  allowed: values.join(', '),
  read: (given) => values.find((value) => value === given),
});
const address = (scheme: string): Rule => ({
  allowed: `an address (${scheme}:// or ${scheme}s://)`,
  read: (given) =>
    new RegExp(`^${scheme}s?://[^/\\s]\\S*$`).test(String(given))
      ? String(given).replace(/\/+$/, '')
      : undefined,
});

const rules: Record<keyof AssistantConfig, Rule> = {
  apiKey: text,
  apiUrl: address('http'),
  wsUrl: address('ws'),
  position: oneOf('bottom-right', 'bottom-left'),
  theme: oneOf('auto', 'light', 'dark', 'host'),
  language: oneOf('auto', 'en', 'es', 'de'),
  autoOpen: flag,
  collapsed: flag,
  zIndex: {
    allowed: 'a whole number',
    read: (given) =>
      String(given) !== '' && Number.isInteger(Number(given)) ? Number(given) : undefined,
  },
  piiMasking: flag,
  formValues: flag,
  userAuth: flag,
  userToken: text,
  getUserToken: {
    allowed: 'a function',
    read: (given) => (typeof given === 'function' ? given : undefined),
  },
  docsBaseUrl: address('http'),
  linksInPage: text,
  title: text,
  logo: {
    allowed: 'an address (https://, http://, or a path on this site)',
    read: (given) =>
      typeof given === 'string' && /^(https?:\/\/|(?![\w+.-]*:))\S+$/i.test(given)
        ? given
        : undefined,
  },
  greeting: text,
  suggestions: {
    allowed: 'texts, separated by | in the attribute',
    read(given) {
      const parts: unknown[] = typeof given === 'string' ? given.split('|') : [given].flat();
      const texts = parts.map((part) => (typeof part === 'string' ? part.trim() : undefined));
      return texts.includes(undefined) ? undefined : texts.filter((part) => part !== '');
    },
  },
};

const names = Object.keys(rules) as (keyof AssistantConfig)[];

/** The attribute of an option: `data-pii-masking` for `piiMasking`. */
export function attributeOf(name: string): string {
  return `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Reads the options from a tag's attributes, as texts. */
export function readAttributes(read: (attribute: string) => string | null): AssistantConfig {
  const given: Record<string, unknown> = {};
  for (const name of names) {
    const value = name === 'getUserToken' ? null : read(attributeOf(name));
    if (value !== null) given[name] = value;
  }
  return given;
}

/**
 * The valid part of a configuration. Invalid values are dropped, and `warn` receives the option, its attribute and the
 * allowed values. Undefined means "not given". Null resets an earlier value, as does an empty `userToken`, which
 * templates write when nobody is signed in.
 */
export function checkConfig(
  config: Partial<Record<keyof AssistantConfig, unknown>>,
  warn: (sentence: string) => void,
): AssistantConfig {
  const checked: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(config)) {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof AssistantConfig] : undefined;
    if (!rule) warn(`There is no option ${name}.`);
    if (!rule || given === undefined) continue;
    if (given === null || (given === '' && name === 'userToken')) {
      checked[name] = undefined;
      continue;
    }
    const value = rule.read(given);
    if (value !== undefined) checked[name] = value;
    else {
      const shown = typeof given === 'string' ? `"${given.slice(0, 100)}"` : typeof given;
      warn(`${name} (${attributeOf(name)}) can't be ${shown}. Allowed: ${rule.allowed}.`);
    }
  }
  return checked;
}

/** Fills in the defaults. `origin` is the service's address unless `apiUrl` names another. */
export function resolveOptions(config: AssistantConfig, origin: string): ResolvedOptions {
  const apiUrl = config.apiUrl ?? origin;
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  return {
    position: 'bottom-right',
    theme: 'auto',
    language: 'auto',
    zIndex: 2147483000,
    autoOpen: false,
    collapsed: false,
    piiMasking: false,
    formValues: false,
    userAuth: false,
    apiUrl,
    wsUrl: `${apiUrl.replace(/^http/, 'ws')}/widget/ws`,
    ...Object.fromEntries(given),
  } as ResolvedOptions;
}
