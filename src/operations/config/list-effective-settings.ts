import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { loadConfig } from '../../platform/config/load-config.js';
import type { Config } from '../../platform/config/schema.js';
import { valueAt } from '../../platform/config/settings.js';
import { requireOperator } from '../operators.js';
import { readSettings, settingText, type ReadSetting } from './read-settings.js';

/** A setting of the running server. Secrets are masked. */
export interface EffectiveSetting extends Omit<ReadSetting, 'value'> {
  value: string;
  /** True when the file and the environment say something else by now: it counts after a restart. */
  isOutdated: boolean;
  isDefault: boolean;
}

/** Every setting with the value that counts in this process, and where that comes from. */
export async function listEffectiveSettings(app: App, actor: Actor): Promise<EffectiveSetting[]> {
  await requireOperator(app, actor);
  const { config, configFile: file } = app;
  // A file that can't be used by now says nothing about what would count.
  const next = file === undefined ? undefined : await loadConfig(file).catch(() => undefined);
  return readSettings(undefined, { config, file }).map((setting) => {
    const textIn = (one: Config) => settingText(valueAt(one, setting.keys));
    const isOutdated = next !== undefined && textIn(next.config) !== textIn(config);
    const isDefault = settingText(setting.byDefault) === textIn(config);
    return { ...setting, value: settingText(setting.value), isOutdated, isDefault };
  });
}
