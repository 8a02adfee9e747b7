import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { withProvider } from './connect-provider.js';
import { findProvider } from './providers.repository.js';

/**
 * Where a browser signs out of the provider too, by which a session was opened; undefined where the provider has no such
 * page, or does not answer: the session here has ended in any case. With the ID token of the session the provider knows
 * which of its sessions is meant, and need not ask.
 */
export async function findEndSessionUrl(
  app: App,
  providerId: number,
  idToken: string | undefined,
): Promise<string | undefined> {
  const provider = await findProvider(app, { id: providerId });
  if (provider === undefined) return undefined;
  try {
    return await withProvider(app, provider, (oidc, client) => {
      const offers = client.serverMetadata().end_session_endpoint !== undefined;
      const hint = idToken === undefined ? {} : { id_token_hint: idToken };
      return Promise.resolve(offers ? oidc.buildEndSessionUrl(client, hint).href : undefined);
    });
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
