import { generate } from 'otplib';
import {
  newTotpSecret,
  recoveryHashOf,
  secretPurpose,
} from '../../src/accounts/second-factor/check-code.js';
import {
  storeRecoveryCodes,
  storeUnconfirmed,
} from '../../src/accounts/second-factor/second-factors.repository.js';
import { insertIdentity } from '../../src/accounts/providers/identities.repository.js';
import {
  insertProvider,
  storePasswordSignIn,
} from '../../src/accounts/providers/providers.repository.js';
import { insertSignIn, storeFinished } from '../../src/accounts/providers/sign-ins.repository.js';
import { challengeOf, stateHashOf } from '../../src/accounts/providers/single-use.js';
import { hashSecret } from '../../src/platform/random-secret.js';
import type { App } from '../../src/platform/app.js';
import type { WorldBuilder } from './world-builder.js';
import type { Person } from './world-people.js';
import type { Side } from './world.js';

/** The code verifier of every sign-in here. */
export const codeVerifier = 'v'.repeat(43);
/** The secret of the browser in which every sign-in here began. */
export const browserSecret = 'b'.repeat(43);
const expiresAt = '2099-01-01T00:00:00.000Z';

/** Adds a provider that redirects without a network, and sign-ins with it. Returns the state of a begun sign-in. */
export async function addSignOn(builder: WorldBuilder, people: Side['people']): Promise<string> {
  const { app, name, organizationId } = builder;
  const issuer = `https://127.0.0.1:9/${builder.canary()}`;
  const fields = {
    ...{ name: 'login', label: 'Sign in', issuer, clientId: 'assistant', scopes: ['openid'] },
    ...{ allowedDomains: [`${builder.canary()}.example`], roleClaim: builder.canary() },
    ...{ roleMapping: [], defaultRole: null, trustsEmail: false, disabled: false },
  };
  const providerId = await insertProvider(app, organizationId, fields, null);
  builder.remember('provider', providerId);
  app.providerMetadata.set(
    issuer,
    { issuer, authorization_endpoint: 'https://login.example/' },
    { ttl: 0 },
  );
  const subject = builder.canary();
  await insertIdentity(app, people.user2.id, { providerId, issuer, subject });
  await storePasswordSignIn(app, organizationId, true);
  const begun = {
    ...{ providerId, expiresAt, nonce: 'n', codeVerifier: 'of ours', returnTo: '/backoffice' },
    isFresh: false,
    ...{ redirectUri: 'http://127.0.0.1/', starterChallenge: challengeOf(codeVerifier) },
  };
  for (const person of Object.values(people)) {
    const code = signInCodeOf(person);
    await insertSignIn(app, { ...begun, stateHash: hashSecret(code) });
    const { id } = await app.db
      .read('provider_sign_ins')
      .where({ state_hash: hashSecret(code) })
      .first<{ id: number }>('id');
    await storeFinished(app, id, {
      ...{ userId: person.id, codeHash: hashSecret(code), expiresAt },
      idToken: undefined,
    });
  }
  const state = `state-of-${name}`;
  await insertSignIn(app, { ...begun, stateHash: stateHashOf(state, browserSecret) });
  return state;
}

/** The code that a person's finished sign-in is exchanged for. */
export function signInCodeOf(person: Pick<Person, 'email'> | undefined): string {
  return `code-of-${person?.email}`;
}

/** Adds second factors to some people, confirmed or not, and sets their present codes. */
export async function addSecondFactors(app: App, sides: Side[]): Promise<void> {
  for (const { people } of sides) {
    for (const name of ['admin', 'backoffice', 'user', 'user2'] as const) {
      await addSecondFactor(app, people[name], name.startsWith('user'));
    }
  }
}

async function addSecondFactor(app: App, person: Person, confirmed: boolean): Promise<void> {
  const secret = await newTotpSecret();
  const { id } = person;
  await storeUnconfirmed(app, id, await app.secrets.seal(secret, secretPurpose(id)));
  const epoch = Math.floor(app.clock.now().getTime() / 1000);
  person.code = await generate({ secret, epoch });
  if (!confirmed) return;
  const confirmed_at = app.clock.now().toISOString();
  await app.db.write('second_factors').where({ user_id: id }).update({ confirmed_at });
  await storeRecoveryCodes(app, id, [recoveryHashOf('abcd-efgh-jkmn') ?? '']);
}
