import assert from 'node:assert/strict';
import { SignJWT, UnsecuredJWT } from 'jose';
import { mintToken } from '../../src/accounts/users/mint-token.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import { callApi } from '../support/api-client.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';

describe('Bearer tokens', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let admin: TestUser;

  before(async () => {
    clock = createTestClock();
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    admin = await addUser(test, acme, 'admin');
  });
  after(() => test.close());

  const batches = '/api/knowledge/ingestion-batches';
  const codeFor = async (token: string, path = batches) => {
    const { status, body } = await callApi(`${test.url}${path}`, { token });
    return status === 200 ? 200 : body.code;
  };
  const mint = (input: { email?: string; days?: number } = {}) =>
    mintToken(test.app, acme.operator, {
      email: input.email ?? admin.email,
      name: 'docs pipeline',
      days: input.days,
    });

  /** A token as the product signs it, with these changes. */
  async function forge(
    change: {
      claims?: object;
      kid?: string;
      alg?: string;
      issuer?: string;
      audience?: string;
    } = {},
  ): Promise<string> {
    const [key] = await test.app.db
      .read<{ kid: string; secret: string }>('signing_keys')
      .select('kid', 'secret');
    const now = Math.floor(clock.now().getTime() / 1000);
    const token = new SignJWT({
      kind: 'session',
      jti: 'x',
      sub: String(admin.id),
      ...change.claims,
    })
      .setProtectedHeader({ alg: change.alg ?? 'HS256', kid: change.kid ?? key?.kid ?? '' })
      .setIssuer(change.issuer ?? 'assistant')
      .setAudience(change.audience ?? 'assistant:api')
      .setIssuedAt(now);
    if (!('exp' in (change.claims ?? {}))) token.setExpirationTime(now + 60);
    return token.sign(Buffer.from(key?.secret ?? '', 'base64url'));
  }

  it('are accepted with the product’s signature', async () => {
    assert.equal(await codeFor(await forge()), 200);
  });

  it('are refused with another issuer, audience or algorithm, and with invalid claims', async () => {
    for (const change of [
      { issuer: 'elsewhere' },
      { audience: 'assistant:widget' },
      { alg: 'HS512' },
      { kid: 'unknown' },
      { claims: { sub: '99999' } },
      { claims: { sub: 'x' } },
      { claims: { exp: undefined } },
      { claims: { jti: undefined } },
      { claims: { kind: undefined } },
    ]) {
      assert.equal(await codeFor(await forge(change)), 'unauthenticated', JSON.stringify(change));
    }
  });

  it('are refused without a signature (alg “none”)', async () => {
    const unsigned = new UnsecuredJWT({ kind: 'session', jti: 'x', sub: String(admin.id) })
      .setIssuer('assistant')
      .setAudience('assistant:api')
      .setIssuedAt(Math.floor(clock.now().getTime() / 1000))
      .setExpirationTime(Math.floor(clock.now().getTime() / 1000) + 60)
      .encode();
    assert.equal(await codeFor(unsigned), 'unauthenticated');
  });

  it('are refused if they are altered or cut', async () => {
    const [head, claims, signature] = (await forge()).split('.') as [string, string, string];
    const other = {
      ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object),
      sub: '1',
      exp: 9e9,
    };
    const altered = Buffer.from(JSON.stringify(other)).toString('base64url');
    for (const token of [
      `${head}.${altered}.${signature}`,
      `${head}.${claims}.`,
      `${head}.${claims}`,
      `${head}.${claims}.${signature.slice(0, -4)}`,
      claims,
      'x.y.z',
      '{}',
    ]) {
      assert.equal(await codeFor(token), 'unauthenticated', token);
    }
  });

  it('are refused without the Bearer scheme, and together with a widget key', async () => {
    const token = await forge();
    for (const headers of [
      { Authorization: token },
      { Authorization: `Basic ${token}` },
      { Authorization: 'Bearer' },
      { Authorization: `Bearer ${token} ${token}` },
      { Authorization: `Bearer ${token}`, 'X-Widget-Key': 'wk_live_x' },
    ]) {
      const { status, headers: given } = await callApi(`${test.url}${batches}`, { headers });
      assert.equal(status, 401, JSON.stringify(headers));
      assert.equal(given.get('www-authenticate'), 'Bearer');
    }
  });

  it('can be created for scripts, for a number of days or without an end', async () => {
    const forever = await mint();
    assert.equal(forever.expiresAt, null);
    const brief = await mint({ days: 2 });
    assert.equal(brief.expiresAt, new Date(clock.now().getTime() + 2 * 86_400_000).toISOString());
    assert.equal(await codeFor(brief.token), 200);
    clock.advance(2 * 86_400_000);
    assert.equal(await codeFor(brief.token), 'unauthenticated');
    clock.advance(1000 * 86_400_000);
    assert.equal(await codeFor(forever.token), 200);
  });

  it('stop working at once when they are revoked', async () => {
    const [one, other] = [await mint(), await mint()];
    const claims = JSON.parse(
      Buffer.from(one.token.split('.')[1] ?? '', 'base64url').toString(),
    ) as { jti: string };
    const row = test.app.db.write('api_tokens').where({ jti: claims.jti });
    assert.equal(await row.update({ revoked_at: clock.now().toISOString() }), 1);
    assert.equal(await codeFor(one.token), 'unauthenticated');
    assert.equal(await codeFor(other.token), 200);
  });

  it('are not stored in the database', async () => {
    const { token } = await mint();
    const rows = JSON.stringify(await test.app.db.read('api_tokens').select('*'));
    assert.ok(rows.includes('docs pipeline') && !rows.includes(token));
  });

  it('are created only by admins, for active users of their own organization', async () => {
    const globex = await addOrganization(test, 'Globex');
    const stranger = await addUser(test, globex, 'user');
    await assert.rejects(mint({ email: stranger.email }), { code: 'not_found' });
    await assert.rejects(mint({ email: 'nobody@example.com' }), { code: 'not_found' });
    const disabled = await addUser(test, acme, 'user');
    await test.app.db.write('users').where({ id: disabled.id }).update({ disabled: true });
    await assert.rejects(mint({ email: disabled.email }), { code: 'not_found' });
    const user = { kind: 'user', organizationId: acme.operator.organizationId, userId: 1 } as const;
    const input = { email: admin.email, name: 'x', days: undefined };
    await assert.rejects(mintToken(test.app, { ...user, role: 'backoffice' }, input), {
      code: 'forbidden',
    });
  });

  it('follow a change of their user’s role or state at once', async () => {
    const user = await addUser(test, acme, 'backoffice');
    const { token } = await mint({ email: user.email });
    assert.equal(await codeFor(token), 200);
    await test.app.db.write('users').where({ id: user.id }).update({ role: 'user' });
    assert.equal(await codeFor(token), 'forbidden');
    await test.app.db.write('users').where({ id: user.id }).update({ role: 'admin' });
    assert.equal(await codeFor(token), 200);
    await test.app.db.write('users').where({ id: user.id }).update({ disabled: true });
    assert.equal(await codeFor(token), 'unauthenticated');
    await test.app.db.write('users').where({ id: user.id }).delete();
    assert.equal(await codeFor(token), 'unauthenticated');
  });
});
