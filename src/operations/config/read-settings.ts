import { readFileSync, statSync } from 'node:fs';
import { settingLocator } from '../../platform/config/locate-setting.js';
import type { Config } from '../../platform/config/schema.js';
import { mask, maskSecret } from '../../platform/config/secret-settings.js';
import { getSetting, listSettings, valueAt, type Setting } from '../../platform/config/settings.js';

/** A setting with the value that counts, and where it comes from. */
export interface ReadSetting extends Setting {
  /** Undefined when the configuration can't be used. A secret is masked unless it was to be revealed. */
  value: unknown;
  isMasked: boolean;
  from: 'environment' | 'file' | 'default';
  /** The line in the file, from 1. */
  line: number | undefined;
}

export interface SettingSources {
  /** Undefined when it can't be used. */
  config: Config | undefined;
  file: string | undefined;
  env?: NodeJS.ProcessEnv;
  reveal?: boolean;
}

/**
 * The settings of a group (`server`), or all of them without a name. Errors: `not_found` for a name that is neither a
 * setting nor a group.
 */
export function readSettings(named: string | undefined, sources: SettingSources): ReadSetting[] {
  const { config, file, env = process.env, reveal = false } = sources;
  const text = file !== undefined && isFile(file) ? readFileSync(file, 'utf8') : '';
  const find = settingLocator(text);
  return choose(named).map((setting) => {
    const value = config === undefined ? undefined : valueAt(config, setting.keys);
    const shown = reveal ? value : maskSecret(setting.path, value);
    const line = find(setting.path, 'key')?.line;
    const isInFile = line !== undefined;
    const from =
      env[setting.variable] !== undefined ? 'environment' : isInFile ? 'file' : 'default';
    const isMasked = typeof shown === 'string' && shown !== value && shown.includes(mask);
    return { ...setting, value: shown, isMasked, from, line };
  });
}

function choose(named: string | undefined): Setting[] {
  if (named === undefined) return listSettings();
  const ofGroup = listSettings().filter(({ path }) => path.startsWith(`${named}.`));
  return ofGroup.length > 0 ? ofGroup : [getSetting(named)];
}

/** A value in the form in which `config set` and environment variables take it. */
export function settingText(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(',') : String(value);
}

/** A pipe can be read only once, and then held the configuration. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
