import type { Role, WidgetKeyKind } from '../../src/platform/actor.js';
import { openPageClient } from '../backoffice/support/page-client.js';
import { callApi } from '../support/api-client.js';
import type { TestClock } from '../support/test-clock.js';
import type { TestApp } from '../support/test-app.js';
import type { Person } from './world-people.js';
import type { Side, World } from './world.js';

/** The identity of a caller for the rules. `invalid` sends an invalid credential. */
export type Identity =
  | { kind: 'nobody' }
  | { kind: 'invalid' }
  | { kind: 'person'; organizationId: number; userId: number; role: Role }
  | { kind: 'key'; organizationId: number; appId: number; keyKind: WidgetKeyKind }
  | { kind: 'end_user'; organizationId: number; appId: number; endUserId: number };

export interface Caller {
  name: string;
  identity: Identity;
  headers: Record<string, string>;
  /** The side of the world to which the caller belongs. The other side is foreign. */
  side: 0 | 1;
  /** The refresh token of the caller's session. */
  refreshToken?: string;
  /** The cookie of the caller's session in a browser, for staff. */
  cookie?: string;
}

/** Signs in a caller with each kind of credential, including invalid ones. */
export async function signIn(
  test: TestApp & { url: string },
  clock: TestClock,
  world: World,
): Promise<Caller[]> {
  const [north, south] = world.sides;
  const callers: Caller[] = [];
  const expired = await openSession(test, north.people.admin);
  clock.advance(3_600_000);
  for (const name of ['admin', 'backoffice', 'user', 'user2'] as const) {
    callers.push(await session(test, world, 0, name));
  }
  callers.push(await session(test, world, 1, 'admin'), await session(test, world, 1, 'user'));
  const disabled = await openSession(test, north.people.disabled);
  const expiredVisitor = await userToken(test, north, 60);
  clock.advance(600_000);
  // Last, because the use of a session is not written again if it was used just before.
  for (const caller of callers) {
    const { identity, side } = caller;
    const people = Object.values(world.sides[side].people);
    const person = people.find(({ id }) => identity.kind === 'person' && id === identity.userId);
    if (person !== undefined && person.role !== 'user')
      caller.cookie = await cookieOf(test, person);
  }
  const visitor = await userToken(test, north);
  for (const side of world.sides) {
    const linkedToken = await userToken(test, side);
    const newToken = await userToken(test, { ...side, endUser: { id: 0, externalId: 'newcomer' } });
    side.userTokens = { linkedToken, newToken };
  }
  const endUser: Identity = {
    ...idsOf(north),
    ...{ kind: 'end_user', endUserId: north.endUser.id },
  };
  const { user, admin, admin2 } = north.people;
  const write = test.app.db.write;
  await write('users').where({ id: north.people.disabled.id }).update({ disabled: 1 });
  await write('api_tokens')
    .where({ user_id: admin2.id })
    .update({ revoked_at: now(test) });
  callers.push(
    { name: 'nobody', identity: { kind: 'nobody' }, headers: {}, side: 0 },
    tokenOf(north, admin, 'API token of an admin'),
    tokenOf(north, user, 'API token of a user'),
    key(north, 0, 'public'),
    key(north, 0, 'authenticated'),
    key(south, 1, 'authenticated'),
    { name: 'user token', identity: endUser, headers: bearer(visitor), side: 0 },
    {
      ...{ name: 'user token with a key of its app', identity: endUser, side: 0 },
      headers: { ...bearer(visitor), 'x-widget-key': north.keys.public },
    },
    invalid('user token with a key of another app', {
      ...{ ...bearer(visitor), 'x-widget-key': south.keys.public },
    }),
    invalid('expired user token', bearer(expiredVisitor)),
    invalid('altered user token', bearer(alter(visitor))),
    invalid('expired token', bearer(expired.token)),
    invalid('token of a disabled account', bearer(disabled.token)),
    invalid('revoked API token', bearer(admin2.apiToken)),
    invalid('altered token', bearer(alter(admin.apiToken))),
    invalid('garbage', bearer('garbage')),
    invalid('no bearer', { authorization: 'Basic YWRtaW46YWRtaW4=' }),
    invalid('empty header', { authorization: '' }),
    invalid('revoked key', { 'x-widget-key': north.keys.revoked }),
    invalid('unknown key', { 'x-widget-key': 'wk_live_0000000000000000000000000000dead' }),
    invalid('two credentials', {
      ...bearer(admin.apiToken),
      'x-widget-key': south.keys.authenticated,
    }),
  );
  return callers;
}

async function session(
  test: TestApp & { url: string },
  { sides }: World,
  side: 0 | 1,
  name: 'admin' | 'backoffice' | 'user' | 'user2',
): Promise<Caller> {
  const of = sides[side];
  const person = of.people[name];
  const { token, refreshToken } = await openSession(test, person);
  const identity = identityOf(of, person);
  const called = side === 0 ? name : `${name} of the other organization`;
  return { name: called, identity, headers: bearer(token), side, refreshToken };
}

/** The cookie of a session in a browser. */
async function cookieOf({ url }: { url: string }, person: Person): Promise<string> {
  const browser = openPageClient(url);
  await browser.signIn(person);
  return browser.cookies.get('assistant') ?? '';
}

async function openSession(
  { url }: { url: string },
  { email, password }: Person,
): Promise<{ token: string; refreshToken: string }> {
  const reply = await callApi<{ token: string; refreshToken: string }>(`${url}/api/auth/login`, {
    body: { email, password },
  });
  if (reply.status !== 200) throw new Error(`signing ${email} in answered ${reply.status}`);
  return reply.body;
}

/** A user token that the host of an app has requested. */
async function userToken(
  { url }: { url: string },
  { keys, secret, endUser }: Side,
  expiresIn = 3600,
): Promise<string> {
  const reply = await callApi<{ token: string }>(`${url}/widget/token`, {
    ...{ key: keys.public, headers: { 'X-Widget-Secret': secret } },
    body: { externalId: endUser.externalId, expiresIn },
  });
  if (reply.status !== 200) throw new Error(`a user token was answered with ${reply.status}`);
  return reply.body.token;
}

function tokenOf(side: Side, person: Person, name: string): Caller {
  return { name, identity: identityOf(side, person), headers: bearer(person.apiToken), side: 0 };
}

function identityOf({ organizationId }: Side, { id, role }: Person): Identity {
  return { kind: 'person', organizationId, userId: id, role };
}

function idsOf({ organizationId, appId }: Side): { organizationId: number; appId: number } {
  return { organizationId, appId };
}

function key(of: Side, side: 0 | 1, keyKind: WidgetKeyKind): Caller {
  const name = `${keyKind} key${side === 0 ? '' : ' of the other organization'}`;
  const identity: Identity = { ...idsOf(of), kind: 'key', keyKind };
  return { name, identity, headers: { 'x-widget-key': of.keys[keyKind] }, side };
}

function invalid(name: string, headers: Record<string, string>): Caller {
  return { name, identity: { kind: 'invalid' }, headers, side: 0 };
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** The same claims with another signature. */
function alter(token: string): string {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const first = signature.startsWith('A') ? 'B' : 'A';
  return [head, claims, first + signature.slice(1)].join('.');
}

function now({ app }: TestApp): string {
  return app.clock.now().toISOString();
}
