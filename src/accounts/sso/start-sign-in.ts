import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { AppError } from '../../platform/errors.js';
import { findOrganizationBySlug } from '../../tenancy/find-organization.js';
import { withProvider } from './connect-provider.js';
import {
  findProviderNamed,
  isPasswordSignInOn,
  listEnabledProviders,
} from './providers.repository.js';
import { readReturnAddress } from './return-address.js';
import { insertSignIn } from './sign-ins.repository.js';
import { hashOf, newSecret } from './single-use.js';

/** How long a person may take at the provider. */
const patienceMs = 900_000;

export interface SignInWays {
  passwordSignIn: boolean;
  providers: { name: string; label: string }[];
}

/**
 * How the people of an organization sign in: of that with the slug, else of the first one. An organization that is not
 * there looks like one that has set nothing up.
 */
export async function listSignInWays(app: App, slug: string | undefined): Promise<SignInWays> {
  const organization = await findOrganizationBySlug(app, slug);
  if (organization === undefined) return { passwordSignIn: true, providers: [] };
  const providers = await listEnabledProviders(app, organization.id);
  return {
    passwordSignIn: await isPasswordSignInOn(app, organization.id),
    providers: providers.map(({ name, label }) => ({ name, label })),
  };
}

export interface StartInput {
  organization: string | undefined;
  provider: string;
  /** The S256 challenge of a verifier that only the starter knows. */
  codeChallenge: string;
  returnTo: string;
  /** Where the provider sends the browser back to, as it is registered there. */
  redirectUri: string;
}

/**
 * The provider's address for a sign-in that begins here. Refuses with `invalid_request` a return address that is not
 * allowed, with `not_found` a provider that is not there or disabled, and with `provider_failed`.
 */
export async function startSignIn(app: App, input: StartInput): Promise<string> {
  const returnTo = readReturnAddress(input.returnTo);
  const organization = await findOrganizationBySlug(app, input.organization);
  const provider = organization && (await findProviderNamed(app, organization.id, input.provider));
  if (provider === undefined || provider.disabled) {
    throw new AppError(
      'not_found',
      `There is no identity provider ${input.provider} to sign in by.`,
    );
  }
  const [state, nonce, codeVerifier] = [newSecret(), newSecret(), newSecret()];
  const address = await withProvider(app, provider, async (oidc, client) =>
    oidc.buildAuthorizationUrl(client, {
      redirect_uri: input.redirectUri,
      scope: provider.scopes.join(' '),
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    }),
  );
  await insertSignIn(app, {
    ...{ providerId: provider.id, stateHash: hashOf(state), nonce, codeVerifier, returnTo },
    redirectUri: input.redirectUri,
    starterChallenge: input.codeChallenge,
    expiresAt: timestamp(app.clock, patienceMs),
  });
  return address.href;
}
