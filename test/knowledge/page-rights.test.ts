import assert from 'node:assert/strict';
import { SignJWT } from 'jose';
import { signAccessToken } from '../../src/accounts/tokens/access-tokens.js';
import { listApiTokens, revokeApiToken } from '../../src/accounts/users/api-tokens.js';
import { createUser } from '../../src/accounts/users/create-user.js';
import { updateUser } from '../../src/accounts/users/manage-users.js';
import { mintToken } from '../../src/accounts/users/mint-token.js';
import { currentKey } from '../../src/accounts/tokens/signing-keys.js';
import { revokeWidgetKey } from '../../src/federation/manage-widget-keys.js';
import type { Role } from '../../src/platform/actor.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { callApi, type ApiReply, type CallOptions } from '../support/api-client.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { createTestClock } from '../support/test-clock.js';
import { addKeyWithSecret, addUserToken, addWidgetKey } from '../support/widget-keys.js';

interface PageBody {
  status: string;
  code?: string;
  content: { visibility: string } | null;
  contents: { title: string; visibility: string }[];
  stats: { appContentCount: number; domainContentCount: number; scopedContentCount: number };
}

describe('The page query, by credential', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let globex: TestOrganization;
  const clock = createTestClock();

  before(async () => {
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    globex = await addOrganization(test, 'Globex');
    for (const visibility of ['public', 'authenticated', 'internal'] as const) {
      const text = { title: visibility, content: `The ${visibility} text.`, visibility };
      await storeEntry(test, acme, text);
      await storeEntry(test, acme, {
        ...text,
        urlPattern: '/install',
        title: `${visibility} here`,
      });
      await storeEntry(test, acme, { ...text, title: `${visibility} draft`, status: 'draft' });
      await storeEntry(test, globex, { ...text, title: `${visibility} of Globex` });
    }
  });
  after(() => test.close());

  const query = (options: CallOptions, more = ''): Promise<ApiReply<PageBody>> => {
    const url = encodeURIComponent(`https://${acme.domain}/install`);
    return callApi<PageBody>(`${test.url}/api/knowledge/page?url=${url}${more}`, options);
  };
  /** Checks the tiers in the list of entries, in the best entry and in all counts. */
  const assertSees = async (options: CallOptions, tiers: string[]) => {
    const { status, body } = await query(options);
    assert.equal(status, 200);
    assert.equal(body.status, 'available');
    const expected = tiers.flatMap((tier) => [tier, `${tier} here`]).sort();
    assert.deepEqual(body.contents.map(({ title }) => title).sort(), expected);
    assert.ok(tiers.includes(body.content?.visibility ?? ''));
    assert.deepEqual(body.stats, {
      appContentCount: expected.length,
      domainContentCount: expected.length,
      scopedContentCount: tiers.length,
    });
  };

  it('shows public entries without a credential', async () => {
    await assertSees({}, ['public']);
  });

  it('shows public and authenticated entries to a user of the organization', async () => {
    const { token } = await addUser(test, acme, 'user');
    await assertSees({ token }, ['public', 'authenticated']);
    assert.deepEqual((await query({ token }, '&own=true')).body, (await query({ token })).body);
  });

  it('shows all published entries to staff', async () => {
    for (const role of ['backoffice', 'admin'] as const) {
      const { token } = await addUser(test, acme, role);
      await assertSees({ token }, ['public', 'authenticated', 'internal']);
    }
  });

  it('shows only public entries to an admin of another organization, and none with own=true', async () => {
    const { token } = await addUser(test, globex, 'admin');
    await assertSees({ token }, ['public']);
    // own=true limits the query to the caller's organization. An anonymous caller has none.
    for (const stranger of [{ token }, {}]) {
      const { status, contents, stats } = (await query(stranger, '&own=true')).body;
      assert.deepEqual([status, contents, stats.appContentCount], ['unregistered', [], 0]);
    }
  });

  it('shows public entries with a public widget key', async () => {
    await assertSees({ key: await addWidgetKey(test, acme, 'public') }, ['public']);
  });

  it('shows public and authenticated entries with an authenticated widget key', async () => {
    const key = await addWidgetKey(test, acme, 'authenticated');
    await assertSees({ key }, ['public', 'authenticated']);
  });

  it('shows only public entries with a widget key of another app, in any organization', async () => {
    const second = await createApp(test.app, acme.operator, { name: 'Second' });
    const beside = await addWidgetKey(test, acme, 'authenticated', { appId: second.id });
    await assertSees({ key: beside }, ['public']);
    await assertSees({ key: await addWidgetKey(test, globex, 'authenticated') }, ['public']);
  });

  it('shows with a named token the same entries as to its user', async () => {
    const seen = {
      user: ['public', 'authenticated'],
      admin: ['public', 'authenticated', 'internal'],
    };
    for (const role of ['user', 'admin'] as const) {
      const { token } = await mint(role);
      await assertSees({ token }, seen[role]);
    }
  });

  it('shows public and authenticated entries with a user token of the app, for both kinds of keys', async () => {
    for (const kind of ['public', 'authenticated'] as const) {
      const pair = await addKeyWithSecret(test, acme, { kind });
      const token = await addUserToken(test, pair);
      await assertSees({ token }, ['public', 'authenticated']);
      await assertSees({ token, key: pair.key.key }, ['public', 'authenticated']);
    }
  });

  it('shows only public entries with a user token of another app, in any organization', async () => {
    const { id: appId } = await createApp(test.app, acme.operator, { name: 'Beside' });
    const beside = await addKeyWithSecret(test, acme, { appId });
    await assertSees({ token: await addUserToken(test, beside) }, ['public']);
    const foreign = await addKeyWithSecret(test, globex, { kind: 'authenticated' });
    await assertSees({ token: await addUserToken(test, foreign) }, ['public']);
  });

  it('shows only public entries with a named token of another organization', async () => {
    const { token } = await mint('admin', globex);
    await assertSees({ token }, ['public']);
  });

  let minted = 0;
  const mint = async (role: Role, { operator } = acme, days?: number) => {
    const email = `minted-${++minted}@example.com`;
    const password = 'correct horse battery';
    const { id } = await createUser(test.app, operator, { email, role, password });
    const token = await mintToken(test.app, operator, { userId: id, name: 'CI', days });
    return { userId: id, token: token.token };
  };
  const assertRefused = async (calls: Record<string, CallOptions>) => {
    for (const [what, call] of Object.entries(calls)) {
      const { status, body } = await query(call);
      assert.deepEqual([status, body.code], [401, 'unauthenticated'], what);
      assert.equal('contents' in body, false, what);
    }
  };
  /** The token with one changed character in its signature. */
  const altered = (token: string) => {
    const at = token.length - 5;
    return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
  };
  const withPayload = (token: string, change: object) => {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const other = Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url');
    return [header, other, signature].join('.');
  };
  const unsigned = (token: string) => {
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    return `${none}.${token.split('.')[1] ?? ''}.`;
  };
  /** A token with a valid signature of the installation, but a wrong claim or header. */
  const forged = async (
    audience: string,
    change: { kid?: string; issuer?: string; exp?: false },
  ) => {
    const key = await currentKey(test.app);
    const now = Math.floor(clock.now().getTime() / 1000);
    const { userId } = await mint('admin');
    const token = new SignJWT({ kind: 'session', app: acme.appId, key: 1 })
      .setProtectedHeader({ alg: 'HS256', kid: change.kid ?? key.kid })
      .setIssuer(change.issuer ?? 'assistant')
      .setAudience(audience)
      .setSubject(String(userId))
      .setIssuedAt(now)
      .setJti('1');
    if (change.exp !== false) token.setExpirationTime(now + 600);
    return token.sign(Buffer.from(key.secret, 'base64url'));
  };

  it('answers 401 without entries to an invalid access token', async () => {
    const { id, token } = await addUser(test, await addOrganization(test, 'Access'), 'admin');
    const { userId, token: ofDisabled } = await mint('user');
    await updateUser(test.app, acme.operator, { id: userId, disabled: true });
    const expired = await signAccessToken(test.app, { userId: id }, 60);
    const { token: expiredNamed } = await mint('admin', acme, 1);
    const { userId: owner, token: revoked } = await mint('admin');
    const page = { page: 1, limit: 1, userId: owner };
    const [named] = (await listApiTokens(test.app, acme.operator, page)).items;
    await revokeApiToken(test.app, acme.operator, named?.id ?? 0);
    clock.advance(61_000);
    await assertRefused({
      nonsense: { token: 'nonsense' },
      dots: { token: '..' },
      altered: { token: altered(token) },
      'of another person': { token: withPayload(token, { sub: '1' }) },
      'without a signature': { token: unsigned(token) },
      expired: { token: expired },
      'of a disabled user': { token: ofDisabled },
      revoked: { token: revoked },
      'of an unknown key': { token: await forged('assistant:api', { kid: 'other' }) },
      'of another issuer': { token: await forged('assistant:api', { issuer: 'other' }) },
      'without an end': { token: await forged('assistant:api', { exp: false }) },
      'for another audience': { token: await forged('assistant:visitor', {}) },
      'no bearer': { headers: { Authorization: 'Basic dTpw' } },
      empty: { headers: { Authorization: '' } },
      'with a key': { token, key: await addWidgetKey(test, acme, 'public') },
    });
    clock.advance(86_400_000);
    await assertRefused({ 'expired and named': { token: expiredNamed } });
  });

  it('answers 401 without entries to an invalid widget key', async () => {
    const key = await addWidgetKey(test, acme, 'authenticated');
    await assertRefused({
      revoked: { key: await addWidgetKey(test, acme, 'authenticated', { revoked: true }) },
      unknown: { key: `wk_live_${'0'.repeat(32)}` },
      'in other case': { key: key.toUpperCase() },
      'a part of one': { key: key.slice(0, -1) },
      'sent twice': { key: `${key}, ${key}` },
      empty: { key: '' },
    });
  });

  it('answers 401 without entries to an invalid user token', async () => {
    const pair = await addKeyWithSecret(test, acme);
    const token = await addUserToken(test, pair);
    const doomed = await addKeyWithSecret(test, acme);
    const ofRevokedKey = await addUserToken(test, doomed);
    await revokeWidgetKey(test.app, acme.operator, doomed.key.id);
    const short = await addUserToken(test, pair, { externalId: 'person-1', expiresIn: 60 });
    clock.advance(60_000);
    const audience = 'assistant:widget-user';
    await assertRefused({
      altered: { token: altered(token) },
      'of another person': { token: withPayload(token, { sub: '2' }) },
      'of another app': { token: withPayload(token, { app: globex.appId }) },
      'called an access token': { token: withPayload(token, { aud: 'assistant:api' }) },
      'without a signature': { token: unsigned(token) },
      expired: { token: short },
      'of a revoked key': { token: ofRevokedKey },
      'of an unknown signing key': { token: await forged(audience, { kid: 'other' }) },
      'of another issuer': { token: await forged(audience, { issuer: 'other' }) },
      'without an end': { token: await forged(audience, { exp: false }) },
      'of nobody': { token: await forged(audience, {}) },
      'with a key of another organization': {
        token,
        key: await addWidgetKey(test, globex, 'public'),
      },
      'with a revoked key': {
        token,
        key: await addWidgetKey(test, acme, 'public', { revoked: true }),
      },
    });
    await assertSees({ token }, ['public', 'authenticated']);
  });
});
