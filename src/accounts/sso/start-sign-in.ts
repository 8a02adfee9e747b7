import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { AppError } from '../../platform/errors.js';
import { newSecret } from '../../platform/random-secret.js';
import { findOrganizationBySlug } from '../../tenancy/sites.repository.js';
import { withProvider } from '../providers/connect-provider.js';
import {
  findProviderNamed,
  isPasswordSignInOn,
  listEnabledProviders,
} from '../providers/providers.repository.js';
import type { IdentityProvider } from '../providers/provider.js';
import {
  isOnThisMachine,
  readReturnAddress,
  withRefusal,
  publicPath,
  redirectUriAt,
} from './sign-in-addresses.js';
import { insertSignIn } from '../providers/sign-ins.repository.js';
import { stateHashOf } from '../providers/single-use.js';

/** How long a person may take at the provider. */
export const patienceMs = 900_000;

export interface SignInWays {
  passwordSignIn: boolean;
  providers: { name: string; label: string }[];
}

/**
 * The ways to sign in to the organization with this slug (default: the first organization). An unknown organization
 * looks like one without providers.
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
  organization?: string | undefined;
  provider: string;
  /** The S256 challenge. Only the starter knows its verifier. */
  codeChallenge: string;
  returnTo: string;
  /** True when the provider must ask the person again, even if somebody is signed in there. */
  isFresh: boolean;
  /** The browser's secret, which it must send again when it returns. */
  browserSecret: string;
  /** The address at which browsers reach this server; undefined when unknown. */
  base: string | undefined;
}

export interface StartedSignIn {
  /** The browser's next address: the provider, or the starter with `error` and `error_description`. */
  address: string;
  /** Set when the person must confirm first, because a program on their machine will receive the code. */
  asked: { label: string; returnTo: string } | undefined;
}

/**
 * Starts a sign-in. Errors: `invalid_request` for a return address that is not allowed. Reports every other error to
 * the return address, as `error` and `error_description`.
 */
export async function startSignIn(app: App, input: StartInput): Promise<StartedSignIn> {
  const returnTo = readReturnAddress(input.returnTo, publicPath(app.config));
  try {
    const provider = await findEnabled(app, input);
    const address = await begin(app, provider, { ...input, returnTo });
    const { label } = provider;
    return { address, asked: isOnThisMachine(returnTo) ? { label, returnTo } : undefined };
  } catch (error) {
    return { address: withRefusal(returnTo, error), asked: undefined };
  }
}

async function findEnabled(
  app: App,
  { organization: slug, provider: name }: StartInput,
): Promise<IdentityProvider> {
  const organization = await findOrganizationBySlug(app, slug);
  const provider = organization && (await findProviderNamed(app, organization.id, name));
  if (provider !== undefined && !provider.disabled) return provider;
  throw new AppError('not_found', `There is no identity provider ${name} to sign in by.`);
}

/** Stores the sign-in and returns the provider's address for it. */
async function begin(
  app: App,
  provider: IdentityProvider,
  input: StartInput & { returnTo: string },
): Promise<string> {
  if (input.base === undefined) {
    const sentence =
      'Single sign-on needs the address of this server: the operator sets server.public_url.';
    throw new AppError('unprocessable', sentence);
  }
  const redirectUri = redirectUriAt(input.base, provider);
  const [state, nonce, codeVerifier] = [newSecret(), newSecret(), newSecret()];
  const address = await withProvider(app, provider, async (oidc, client) =>
    oidc.buildAuthorizationUrl(client, {
      redirect_uri: redirectUri,
      scope: provider.scopes.join(' '),
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...(input.isFresh ? { prompt: 'login', max_age: '0' } : {}),
    }),
  );
  await insertSignIn(app, {
    providerId: provider.id,
    nonce,
    codeVerifier,
    redirectUri,
    returnTo: input.returnTo,
    stateHash: stateHashOf(state, input.browserSecret),
    starterChallenge: input.codeChallenge,
    isFresh: input.isFresh,
    expiresAt: timestamp(app.clock, patienceMs),
  });
  return address.href;
}
