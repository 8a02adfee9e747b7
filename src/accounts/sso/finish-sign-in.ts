import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import type { Actor } from '../../platform/actor.js';
import { AppError } from '../../platform/errors.js';
import { hashSecret, newSecret } from '../../platform/random-secret.js';
import { findUser, type User } from '../users/accounts.repository.js';
import { ownUser } from '../users/own-account.js';
import { admitPerson } from './admit-person.js';
import { withProvider } from '../providers/connect-provider.js';
import type { IdentityProvider } from '../providers/provider.js';
import { findProvider } from '../providers/providers.repository.js';
import { isLacking, readPerson, type VouchedPerson } from './read-person.js';
import { withRefusal, withResult } from './sign-in-addresses.js';
import {
  claimAnswered,
  storeFinished,
  takeFinished,
  type FinishedSignIn,
  type ProviderSignIn,
} from '../providers/sign-ins.repository.js';
import { challengeOf, stateHashOf } from '../providers/single-use.js';
import { patienceMs } from './start-sign-in.js';

/** A longer ID token may exceed the length of an address. */
const longestIdToken = 6000;
/** The tolerated delay of a provider's clock. */
const clockSkewMs = 60_000;

/** How long a starter may take to exchange its code after the browser delivered it. */
const codeMs = 120_000;

/**
 * Handles the answer of a provider. Returns the browser's next address: the starter's, with a `code` to exchange for a
 * session, or with `error` and `error_description`. Errors: `unauthenticated` for an answer that belongs to no sign-in
 * of this provider in this browser. Too many of those are refused with `rate_limited`.
 */
export async function finishSignIn(
  app: App,
  input: {
    providerId: number;
    state: string;
    query: string;
    /** The browser's secret; undefined when the browser sent none, and so began no sign-in. */
    browserSecret: string | undefined;
    address: string;
  },
): Promise<string> {
  const { providerId, state, browserSecret = '' } = input;
  const begun = await claimAnswered(app, {
    providerId,
    stateHash: stateHashOf(state, browserSecret),
  });
  if (begun === undefined) throw await unknown(app, input.address);
  try {
    const provider = await findProvider(app, { id: begun.providerId });
    if (provider === undefined || provider.disabled) throw changed();
    const { person, idToken } = await askProvider(app, provider, begun, input);
    const code = newSecret();
    const refusal = await inTransaction(app, async (app) => {
      // The provider may have been changed while its answer was awaited.
      if (!isDeepStrictEqual(await findProvider(app, provider), provider)) throw changed();
      const user = await admitPerson(app, provider, person);
      if (user instanceof AppError) return user;
      const expiresAt = timestamp(app.clock, codeMs);
      await storeFinished(app, begun.id, {
        userId: user.id,
        codeHash: hashSecret(code),
        expiresAt,
        idToken,
      });
      return undefined;
    });
    if (refusal !== undefined) throw refusal;
    return withResult(begun.returnTo, { code });
  } catch (error) {
    return withRefusal(begun.returnTo, error);
  }
}

/**
 * Exchanges the code of a completed sign-in for a session, which `open` opens. The verifier must be the starter's, so
 * that a stolen or injected code opens nothing. Errors: `unauthenticated`.
 */
export async function exchangeCode<T>(
  app: App,
  input: { code: string; codeVerifier: string; address: string },
  open: (app: App, user: User, finished: FinishedSignIn) => Promise<T>,
): Promise<T> {
  const session = await inTransaction(app, async (app) => {
    const finished = await take(app, input);
    if (finished === undefined) return undefined;
    const user = await findUser(app, finished.userId);
    if (user === undefined || user.disabled) return undefined;
    return open(app, user, finished);
  });
  if (session === undefined) throw await unknown(app, input.address);
  return session;
}

/**
 * Uses the code of a completed sign-in as proof that the caller is present. The sign-in must be the caller's own, and
 * the provider must have asked the person again. The code is used up. Errors: `unprocessable`; too many refusals become
 * `rate_limited`.
 */
export async function proveByProvider(
  app: App,
  actor: Actor,
  input: { code: string; codeVerifier: string; address: string },
): Promise<User> {
  const user = await ownUser(app, actor);
  const finished = await inTransaction(app, (app) => take(app, input));
  if (finished?.isFresh === true && finished.userId === user.id) return user;
  await app.signIns.unknown(input.address);
  const message =
    'This code is not from a sign-in of yours with fresh=true. Sign in again by the identity provider.';
  const problems = [{ path: 'sign_in.code', message }];
  throw new AppError('unprocessable', message, { problems });
}

/** The sign-in of the code, if the verifier is the starter's. */
async function take(
  app: App,
  { code, codeVerifier }: { code: string; codeVerifier: string },
): Promise<FinishedSignIn | undefined> {
  const finished = await takeFinished(app, hashSecret(code));
  return finished?.starterChallenge === challengeOf(codeVerifier) ? finished : undefined;
}

/** Exchanges the provider's code for tokens, verifies them, and reads the person's claims. */
async function askProvider(
  app: App,
  provider: IdentityProvider,
  begun: ProviderSignIn,
  input: { state: string; query: string },
): Promise<{ person: VouchedPerson; idToken: string | undefined }> {
  const answer = new URLSearchParams(input.query);
  // Do not repeat the provider's text: anybody can produce such an address.
  if (answer.has('error')) {
    const isDenied = answer.get('error') === 'access_denied';
    const sentence = isDenied ? 'did not let this person in' : 'refused the sign-in';
    throw new AppError('sign_in_refused', `The identity provider ${provider.label} ${sentence}.`);
  }
  return withProvider(app, provider, async (oidc, client) => {
    const address = new URL(`${begun.redirectUri}?${input.query}`);
    const tokens = await oidc.authorizationCodeGrant(client, address, {
      pkceCodeVerifier: begun.codeVerifier,
      expectedNonce: begun.nonce,
      expectedState: input.state,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('the provider sent no ID token');
    if (begun.isFresh) requireFresh(provider, begun, claims.auth_time);
    const asksMore =
      isLacking(provider, claims) && client.serverMetadata().userinfo_endpoint !== undefined;
    const more = asksMore ? await oidc.fetchUserInfo(client, tokens.access_token, claims.sub) : {};
    const { id_token: idToken = '' } = tokens;
    return {
      person: readPerson(provider, claims, more),
      idToken: idToken.length <= longestIdToken ? idToken : undefined,
    };
  });
}

/**
 * A person who was already signed in at the provider has proved nothing. Neither has a token without a time: the person
 * can remove the request to ask again from the address.
 */
function requireFresh(
  { label }: IdentityProvider,
  { expiresAt }: ProviderSignIn,
  at: unknown,
): void {
  const begunAt = Date.parse(expiresAt) - patienceMs;
  if (typeof at === 'number' && at * 1000 >= begunAt - clockSkewMs) return;
  throw new AppError(
    'sign_in_refused',
    `${label} did not ask you to sign in again, or does not say when it did (auth_time). Ask an admin.`,
  );
}

function changed(): AppError {
  const sentence = 'The identity provider was changed meanwhile. Begin again.';
  return new AppError('sign_in_refused', sentence);
}

async function unknown(app: App, address: string): Promise<AppError> {
  await app.signIns.unknown(address);
  const sentence = 'This sign-in is over, or was never begun here. Begin again.';
  return new AppError('unauthenticated', sentence);
}
