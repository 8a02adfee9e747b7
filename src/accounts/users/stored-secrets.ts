import type { App, WithDb } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { secretPurpose as factorPurpose } from '../second-factor/check-code.js';
import { secretPurpose as providerPurpose } from '../providers/provider.js';

/** True when the database contains an encrypted secret. */
export async function holdsSecrets(app: WithDb): Promise<boolean> {
  return (await sealedSecrets(app)).length > 0;
}

/** The problem with the key for secrets, as a sentence: it is missing, or it did not encrypt the stored secrets. */
export async function findKeyFault(app: Pick<App, 'db' | 'secrets'>): Promise<string | undefined> {
  try {
    for (const { sealed, purpose } of await sealedSecrets(app)) {
      if ((await app.secrets.open(sealed, purpose)) !== undefined) continue;
      return 'The key for secrets does not fit what is stored: it encrypted neither all client secrets nor all second factors.';
    }
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** The newest secret of each kind, which the present key must decrypt. */
async function sealedSecrets(app: WithDb): Promise<{ sealed: string; purpose: string }[]> {
  const factor = await app.db
    .read<{ user_id: number; secret: string }>('second_factors')
    .orderBy('created_at', 'desc')
    .first('user_id', 'secret');
  const provider = await app.db
    .read<{ organization_id: number; client_secret: string }>('identity_providers')
    .whereNotNull('client_secret')
    .orderBy('updated_at', 'desc')
    .first('organization_id', 'client_secret');
  return [
    ...(factor === undefined
      ? []
      : [{ sealed: factor.secret, purpose: factorPurpose(factor.user_id) }]),
    ...(provider === undefined
      ? []
      : [
          {
            sealed: provider.client_secret,
            purpose: providerPurpose({ organizationId: provider.organization_id }),
          },
        ]),
  ];
}
