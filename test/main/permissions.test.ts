import assert from 'node:assert/strict';
import { signAccessToken } from '../../src/accounts/tokens/access-tokens.js';
import { mintToken } from '../../src/accounts/users/mint-token.js';
import { revokeWidgetKey } from '../../src/federation/manage-widget-keys.js';
import { signUserToken } from '../../src/federation/user-tokens.js';
import { operations } from '../../src/main/create-server.js';
import type { Access, Operation } from '../../src/platform/http/operation.js';
import { scriptNames } from '../../src/widget/built-script.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { addKeyWithSecret, addUserToken } from '../support/widget-keys.js';

/** The callers. The first group has no valid credential, the second no rights under /api, the third has. */
const nobodies = [
  ...(['nobody', 'an expired token', 'a revoked token', 'an unknown key'] as const),
  ...(['an expired user token', 'a user token of a revoked key'] as const),
];
const backend = 'a host’s backend';
const guests = [
  ...(['a public widget key', 'an authenticated widget key', 'a user token'] as const),
  backend,
] as const;
const people = [
  ...(['a user', 'a backoffice user', 'an admin'] as const),
  ...(['an API token of a user', 'an API token of a backoffice user'] as const),
  ...(['an API token of an admin', 'an admin of another organization'] as const),
];
const callers = [...nobodies, ...guests, ...people];
type Caller = (typeof callers)[number];

const staff = people.filter((caller) => /backoffice|admin/.test(caller));
const admins = people.filter((caller) => caller.includes('admin'));

/**
 * The callers that each kind of access allows, according to the decisions and not to the product. A user reads, asks
 * and owns things. Backoffice writes knowledge, answers requests and reads all conversations. Admins do the rest. An
 * admin of another organization has the rights, but nothing to see.
 */
const letThrough: Record<Access, readonly Caller[]> = {
  anyone: callers,
  optional: ['nobody', ...guests, ...people],
  widget: guests,
  host_backend: [backend],
  ask: people,
  'knowledge.read': people,
  'knowledge.write': staff,
  'conversations.read_all': staff,
  'requests.resolve': staff,
  administer: admins,
};

function expected(access: Access, caller: Caller): 'allowed' | 401 | 403 {
  if (letThrough[access].includes(caller)) return 'allowed';
  // A caller without the secret is not authenticated as a host's backend, whatever else it sends.
  if (access === 'host_backend') return 401;
  // The widget does not know access tokens at all, so they do not merely lack a right.
  if (access === 'widget') return 401;
  // A user token is not valid as an access token, and neither is an expired token.
  const isUnauthenticated =
    caller === 'a user token' || (nobodies as readonly Caller[]).includes(caller);
  return isUnauthenticated ? 401 : 403;
}

/** The operations that need no credential, each on purpose. /metrics checks its own token. */
const open = [
  ...[
    'GET /extension/assistant-extension.zip',
    'GET /health/live',
    'GET /health/ready',
    'GET /metrics',
  ],
  ...['GET /', 'GET /api/openapi.json', 'GET /api/docs'],
  ...['GET /api/docs/style.css', 'POST /api/auth/login', 'POST /api/auth/refresh'],
  ...['POST /api/auth/logout', 'GET /api/knowledge/page'],
  // Steps of a sign-in, whose input proves the identity.
  ...['GET /api/auth/ways', 'GET /api/auth/sso/start', 'GET /api/auth/sso/callback/:id'],
  ...['POST /api/auth/sso/session', 'POST /api/auth/two-factor'],
  ...['confirm', 'recovery-codes', 'disable'].map((step) => `POST /api/auth/two-factor/${step}`),
  ...scriptNames.map((name) => `GET /widget/v1/${name}`),
];

const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`;

describe('The rights of each caller', () => {
  let test: TestApp & { url: string };
  const headers = new Map<Caller, Record<string, string>>();

  before(async () => {
    test = await serveTestApp();
    const acme = await addOrganization(test);
    const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
    const mint = async (organization: TestOrganization, userId: number) => {
      const input = { userId, name: 'ci', days: undefined };
      return mintToken(test.app, organization.operator, input);
    };
    for (const [role, name] of [
      ['user', 'a user'],
      ['backoffice', 'a backoffice user'],
      ['admin', 'an admin'],
    ] as const) {
      const user = await addUser(test, acme, role);
      headers.set(name, bearer(user.token));
      headers.set(`an API token of ${name}`, bearer((await mint(acme, user.id)).token));
      if (role === 'admin') {
        const expired = await signAccessToken(test.app, { userId: user.id }, -60);
        headers.set('an expired token', bearer(expired));
        const revoked = await signAccessToken(test.app, { userId: user.id, jti: 'gone' }, 900);
        headers.set('a revoked token', bearer(revoked));
      }
    }
    const globex = await addOrganization(test, 'Globex');
    const { token } = await addUser(test, globex, 'admin');
    headers.set('an admin of another organization', bearer(token));
    headers.set('nobody', {});
    headers.set('an unknown key', { 'X-Widget-Key': `wk_live_${'0'.repeat(32)}` });
    for (const kind of ['public', 'authenticated'] as const) {
      const { key } = await addKeyWithSecret(test, acme, { kind });
      const name = kind === 'public' ? 'a public widget key' : 'an authenticated widget key';
      headers.set(name, { 'X-Widget-Key': key.key });
    }
    const host = await addKeyWithSecret(test, acme);
    headers.set(backend, { 'X-Widget-Key': host.key.key, 'X-Widget-Secret': host.secret });
    headers.set('a user token', bearer(await addUserToken(test, host)));
    const claims = { endUserId: 1, appId: acme.appId, keyId: host.key.id };
    headers.set('an expired user token', bearer(await signUserToken(test.app, claims, -60)));
    const revoked = await addKeyWithSecret(test, acme);
    headers.set('a user token of a revoked key', bearer(await addUserToken(test, revoked)));
    await revokeWidgetKey(test.app, acme.operator, revoked.key.id);
  });
  after(() => test.close());

  /** The status of a real request with unknown ids and an empty body. */
  async function call({ method, path, body, access }: Operation, caller: Caller): Promise<number> {
    const credential = headers.get(caller);
    assert.ok(credential, caller);
    const address = test.url + path.replaceAll(/:\w+/g, '987654321');
    const response = await fetch(address, {
      method: method.toUpperCase(),
      headers: {
        ...credential,
        ...(access === 'widget' ? { Origin: 'https://acme.example' } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: '{}' }),
    });
    await response.body?.cancel();
    return response.status;
  }

  for (const operation of operations) {
    it(`are enforced by ${nameOf(operation)}`, async () => {
      const outcomes = await Promise.all(
        callers.map(async (caller) => {
          const status = await call(operation, caller);
          assert.ok(status < 500, `${caller}: ${status}`);
          return [caller, status === 401 || status === 403 ? status : 'allowed'] as const;
        }),
      );
      const wanted = callers.map((caller) => [caller, expected(operation.access, caller)] as const);
      assert.deepEqual(Object.fromEntries(outcomes), Object.fromEntries(wanted));
    });
  }

  it('are waived only for operations that are open on purpose', () => {
    const found = operations.filter(({ access }) => access === 'anyone' || access === 'optional');
    assert.deepEqual(found.map(nameOf).sort(), [...open].sort());
  });

  it('reserve administration for admins, and changes of knowledge for backoffice and admins', () => {
    for (const operation of operations) {
      const { method, path, access } = operation;
      if (path.startsWith('/api/admin/')) assert.equal(access, 'administer', nameOf(operation));
      const knowledge = /^\/api\/knowledge(?!\/requests)/.test(path);
      if (knowledge && method !== 'get') {
        assert.equal(access, 'knowledge.write', nameOf(operation));
      }
    }
  });
});
