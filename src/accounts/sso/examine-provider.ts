import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError, messageOf } from '../../platform/errors.js';
import { isOfManyTenants, oneTenant } from './check-fields.js';
import { withProvider } from '../providers/connect-provider.js';
import { getProvider } from './manage-providers.js';
import type { IdentityProvider, ProviderFindings } from '../providers/provider.js';
import { publicBase, redirectUriAt } from './sign-in-addresses.js';

/**
 * Fetches a provider's metadata and keys, and reports problems that would prevent a sign-in. Nobody is signed in. The
 * client secret is not tested: only a sign-in tests it. Errors: `not_found`.
 */
export async function examineProvider(
  app: App,
  actor: Actor,
  id: number,
): Promise<ProviderFindings> {
  requirePermission(actor, 'administer');
  const provider = await getProvider(app, actor, id);
  const base = publicBase(app.config);
  const problems = problemsHere(provider, base);
  const found: ProviderFindings = {
    ok: false,
    problems,
    authorizationEndpoint: null,
    endSessionEndpoint: null,
    redirectUri: base === undefined ? null : redirectUriAt(base, provider),
  };
  try {
    await withProvider(
      app,
      provider,
      async (oidc, client) => {
        const metadata = client.serverMetadata();
        found.authorizationEndpoint = metadata.authorization_endpoint ?? null;
        found.endSessionEndpoint = metadata.end_session_endpoint ?? null;
        problems.push(...problemsOf(metadata, provider));
        if (metadata.jwks_uri !== undefined) {
          const address = metadata.jwks_uri;
          const problem = await problemOfKeys(client[oidc.customFetch], address);
          if (problem !== undefined) problems.push(problem);
        }
      },
      { examined: true },
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'provider_failed') throw error;
    problems.push(reasonOf(error, provider));
  }
  return { ...found, ok: problems.length === 0 };
}

function problemsHere(provider: IdentityProvider, base: string | undefined): string[] {
  const problems: string[] = [];
  if (provider.disabled)
    problems.push('The provider is disabled here: assistant sso edit --enable');
  if (isOfManyTenants(provider.issuer)) problems.push(`The issuer ${oneTenant}.`);
  if (base === undefined) {
    problems.push(
      'server.public_url is not set: only browsers on this machine can come back from the provider.',
    );
  }
  if (provider.defaultRole === null && provider.roleMapping.length === 0) {
    problems.push(
      'There is neither a default role nor a role mapping: only people who have an account already can sign in.',
    );
  }
  return problems;
}

interface Metadata {
  authorization_endpoint?: string;
  token_endpoint?: string;
  jwks_uri?: string;
  response_types_supported?: string[];
  code_challenge_methods_supported?: string[];
  scopes_supported?: string[];
}

function problemsOf(metadata: Metadata, { scopes }: IdentityProvider): string[] {
  const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
  const problems = needed
    .filter((name) => metadata[name] === undefined)
    .map((name) => `Its description names no ${name}.`);
  if (metadata.response_types_supported?.includes('code') === false) {
    problems.push('It does not offer the authorization code flow (response type code).');
  }
  // Metadata without PKCE methods is no problem: PKCE usually works, and is harmless otherwise.
  if (metadata.code_challenge_methods_supported?.includes('S256') === false) {
    problems.push('It does not offer PKCE with S256.');
  }
  const known = metadata.scopes_supported;
  const unknown = known === undefined ? [] : scopes.filter((scope) => !known.includes(scope));
  if (unknown.length > 0) problems.push(`It does not know the scopes ${unknown.join(', ')}.`);
  return problems;
}

async function problemOfKeys(
  fetch: ((url: string, options: never) => Promise<Response>) | undefined,
  address: string,
): Promise<string | undefined> {
  const options = { method: 'GET', headers: { accept: 'application/json' } };
  try {
    const response = await fetch?.(address, options as never);
    const { keys } = (await response?.json()) as { keys?: unknown };
    return Array.isArray(keys) && keys.length > 0 ? undefined : `Its keys (${address}) are none.`;
  } catch (error) {
    return `Its keys (${address}) can't be read: ${messageOf(error)}.`;
  }
}

/** The innermost useful reason, for the provider's admin. */
function reasonOf(error: AppError, { issuer }: IdentityProvider): string {
  const { cause } = error;
  if (cause instanceof AppError) return cause.message;
  const reasons: string[] = [];
  for (let at: unknown = cause; at instanceof Error && reasons.length < 5; at = at.cause) {
    if (at instanceof AppError) return at.message;
    reasons.push(
      'code' in at && typeof at.code === 'string' ? `${at.message} (${at.code})` : at.message,
    );
  }
  const reason = reasons.join(': ').replace(/\.$/, '');
  return `${issuer} could not be asked for its description: ${reason}.`;
}
