import { findKeyFault, holdsSecrets } from '../accounts/users/stored-secrets.js';
import type { App } from '../platform/app.js';
import type { Config } from '../platform/config/schema.js';
import { createSecretBox } from '../platform/config/secret-box.js';
import type { Check } from './doctor.schema.js';

/** Whether the key for secrets fits what is stored, and is kept to its owner; nothing where nothing is encrypted. */
export async function examineSecrets(config: Config, { db }: Pick<App, 'db'>): Promise<Check[]> {
  if (!(await holdsSecrets({ db }))) return [];
  const name = 'key for secrets';
  const warnings: string[] = [];
  const secrets = createSecretBox(config, {
    isInUse: () => Promise.resolve(true),
    log: { warn: (text: string) => void warnings.push(text) },
  });
  const fault = await findKeyFault({ db, secrets });
  if (fault !== undefined) {
    const remedy =
      'Put the right key back, or set client secrets again (assistant sso edit) and reset second factors (assistant users reset-two-factor).';
    return [{ name, status: 'failed', finding: fault, remedy }];
  }
  const [warning] = warnings;
  if (warning === undefined) return [{ name, status: 'ok', finding: 'fits what is stored' }];
  const remedy = `Keep it to its owner: chmod 600 ${config.database.path}.key`;
  return [{ name, status: 'warning', finding: 'others can read it', remedy }];
}
