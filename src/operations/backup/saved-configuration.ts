import { readFile } from 'node:fs/promises';
import { settingVariables } from '../../platform/config/environment.js';
import { withoutSecrets } from '../../platform/config/secret-settings.js';
import type { Manifest } from './manifest.js';

export interface SavedConfiguration extends Pick<Manifest, 'configuration'> {
  /** Undefined where there is no file: defaults and the environment serve. */
  text: string | undefined;
}

/**
 * The configuration file as a backup keeps it: without its secrets, unless they are wanted. What environment variables
 * say is not a part of it; their names are told, so that whoever restores knows what to set.
 */
export async function saveConfiguration(
  file: string | undefined,
  withSecrets: boolean,
  env: NodeJS.ProcessEnv = process.env,
): Promise<SavedConfiguration> {
  const environment = [...settingVariables().keys()].filter((name) => env[name] !== undefined);
  if (file === undefined) {
    return { text: undefined, configuration: { secrets: false, left_out: [], environment } };
  }
  const whole = await readFile(file, 'utf8');
  if (withSecrets) {
    return { text: whole, configuration: { secrets: true, left_out: [], environment } };
  }
  const { text, leftOut } = withoutSecrets(whole);
  const missing = leftOut.length === 0 ? '' : `# Not in the backup: ${leftOut.join(', ')}\n`;
  return {
    text: `# As a backup kept it, without comments and secrets.\n${missing}${text}`,
    configuration: { secrets: false, left_out: leftOut, environment },
  };
}
