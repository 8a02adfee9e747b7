import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { secretPurpose as factorPurpose } from '../second-factor/check-code.js';
import { secretPurpose as providerPurpose } from '../providers/provider.js';

/** Whether the database holds anything that is encrypted. */
export async function holdsSecrets(app: Pick<App, 'db'>): Promise<boolean> {
  return (await sealedSecrets(app)).length > 0;
}

/** What is wrong with the key for secrets, in a sentence: it is not there, or did not encrypt what is stored. */
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

/** The newest of either kind: what the present key must fit. */
async function sealedSecrets(app: Pick<App, 'db'>): Promise<{ sealed: string; purpose: string }[]> {
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
