import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { hashSecret, newSecret } from '../../platform/random-secret.js';
import { findUser } from '../accounts.repository.js';
import { openSession, type Session } from '../sessions.js';
import { admitPerson } from './admit-person.js';
import { withProvider } from './connect-provider.js';
import type { IdentityProvider } from './provider.js';
import { findProvider } from './providers.repository.js';
import { isLacking, readPerson, type VouchedPerson } from './read-person.js';
import { withRefusal, withResult } from './return-address.js';
import {
  claimAnswered,
  storeFinished,
  takeFinished,
  type ProviderSignIn,
} from './sign-ins.repository.js';
import { challengeOf, stateHashOf } from './single-use.js';

/** How long a starter may take to exchange its code, which the browser has just brought it. */
const codeMs = 120_000;

/**
 * Where the browser goes with the answer of a provider: back to the starter, with a `code` that it exchanges for a
 * session, or with `error` and `error_description`. Refuses with `unauthenticated` an answer that belongs to no sign-in
 * of this provider that is under way in this browser; too many of those are `rate_limited`.
 */
export async function finishSignIn(
  app: App,
  input: {
    providerId: number;
    state: string;
    query: string;
    /** Of the browser; undefined where it has shown none: then it began nothing. */
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
    const person = await askProvider(app, provider, begun, input);
    const code = newSecret();
    const refusal = await inTransaction(app, async (app) => {
      // Its rules as they are now: it was waited for.
      if (!isDeepStrictEqual(await findProvider(app, provider), provider)) throw changed();
      const user = await admitPerson(app, provider, person);
      if (user instanceof AppError) return user;
      const expiresAt = timestamp(app.clock, codeMs);
      await storeFinished(app, begun.id, {
        userId: user.id,
        codeHash: hashSecret(code),
        expiresAt,
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
 * Exchanges the code of a finished sign-in for a session. The verifier must be that of the starter: a code that somebody
 * else got hold of, or slipped in, opens nothing. Refuses with `unauthenticated`.
 */
export async function exchangeCode(
  app: App,
  input: { code: string; codeVerifier: string; address: string },
): Promise<Session> {
  const session = await inTransaction(app, async (app) => {
    const finished = await takeFinished(app, hashSecret(input.code));
    if (finished?.starterChallenge !== challengeOf(input.codeVerifier)) return undefined;
    const user = await findUser(app, finished.userId);
    if (user === undefined || user.disabled) return undefined;
    return openSession(app, user, { providerId: finished.providerId });
  });
  if (session === undefined) throw await unknown(app, input.address);
  return session;
}

/** Exchanges the provider's code for its tokens, checks them, and reads whom they are about. */
async function askProvider(
  app: App,
  provider: IdentityProvider,
  begun: ProviderSignIn,
  input: { state: string; query: string },
): Promise<VouchedPerson> {
  const answer = new URLSearchParams(input.query);
  // What the provider writes is not repeated: anybody can make such an address.
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
    const asksMore =
      isLacking(provider, claims) && client.serverMetadata().userinfo_endpoint !== undefined;
    const more = asksMore ? await oidc.fetchUserInfo(client, tokens.access_token, claims.sub) : {};
    return readPerson(provider, claims, more);
  });
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
