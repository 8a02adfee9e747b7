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

  /** A token as the product would sign it, save for what is changed. */
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

  it('are accepted as they are signed here', async () => {
    assert.equal(await codeFor(await forge()), 200);
  });

  it('are refused from another issuer, for another audience, and with another algorithm', async () => {
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

  it('are refused without a signature: alg none gives no rights', async () => {
    const unsigned = new UnsecuredJWT({ kind: 'session', jti: 'x', sub: String(admin.id) })
      .setIssuer('assistant')
      .setAudience('assistant:api')
      .setIssuedAt(Math.floor(clock.now().getTime() / 1000))
      .setExpirationTime(Math.floor(clock.now().getTime() / 1000) + 60)
      .encode();
    assert.equal(await codeFor(unsigned), 'unauthenticated');
  });

  it('are refused once a claim was altered, cut or swapped with the signature of another', async () => {
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

  it('are refused in a header that is no bearer, and beside a widget key', async () => {
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

  it('can be minted for scripts: named, without an end or for some days', async () => {
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

  it('stop working at once when they are revoked, and only they', async () => {
    const [one, other] = [await mint(), await mint()];
    const claims = JSON.parse(
      Buffer.from(one.token.split('.')[1] ?? '', 'base64url').toString(),
    ) as { jti: string };
    const row = test.app.db.write('api_tokens').where({ jti: claims.jti });
    assert.equal(await row.update({ revoked_at: clock.now().toISOString() }), 1);
    assert.equal(await codeFor(one.token), 'unauthenticated');
    assert.equal(await codeFor(other.token), 200);
  });

  it('are not stored, so that a copy of the database holds none', async () => {
    const { token } = await mint();
    const rows = JSON.stringify(await test.app.db.read('api_tokens').select('*'));
    assert.ok(rows.includes('docs pipeline') && !rows.includes(token));
  });

  it('are minted for active users of the own organization alone', async () => {
    const globex = await addOrganization(test, 'Globex');
    const stranger = await addUser(test, globex, 'user');
    await assert.rejects(mint({ email: stranger.email }), { code: 'not_found' });
    await assert.rejects(mint({ email: 'nobody@example.com' }), { code: 'not_found' });
    const user = { kind: 'user', organizationId: acme.operator.organizationId, userId: 1 } as const;
    const input = { email: admin.email, name: 'x', days: undefined };
    await assert.rejects(mintToken(test.app, { ...user, role: 'backoffice' }, input), {
      code: 'forbidden',
    });
  });

  it('have the rights that their user has now: a changed role counts at once', async () => {
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
