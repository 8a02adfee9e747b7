import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { callApi, type ApiReply, type CallOptions } from '../support/api-client.js';
import { auditLogOf } from '../support/audit-log.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { createTestClock } from '../support/test-clock.js';

interface KeyBody {
  id: number;
  app_id: number;
  key: string;
  kind: string;
  name: string;
  secret: string;
  secrets: { created_at: string; expires_at: string | null }[];
  revoked_at: string | null;
  code: string;
  data: KeyBody[];
}

const day = 86_400_000;

describe('A widget key', () => {
  const clock = createTestClock();
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let call: (path: string, options?: CallOptions) => Promise<ApiReply<KeyBody>>;

  before(async () => {
    test = await serveTestApp({ auth: { access_token_minutes: 1440 } }, clock);
    acme = await addOrganization(test);
    const { id } = await addUser(test, acme, 'admin');
    const { signAccessToken } = await import('../../src/accounts/tokens/access-tokens.js');
    const token = await signAccessToken(test.app, { userId: id }, 90 * 86_400);
    call = (path, options = {}) =>
      callApi<KeyBody>(`${test.url}/api/admin/widget-keys${path}`, { token, ...options });
  });
  after(() => test.close());

  const make = async (kind = 'public') =>
    (await call('', { body: { app_id: acme.appId, kind, name: `A ${kind} key` } })).body;
  const rotate = (id: number, body: object = {}) => call(`/${id}/rotate-secret`, { body });
  /** True if a host's backend gets a token with this key and secret. */
  const isAccepted = async (key: string, secret: string) => {
    const headers = { 'X-Widget-Secret': secret };
    const body = { externalId: 'somebody' };
    const { status } = await callApi(`${test.url}/widget/token`, { key, headers, body });
    assert.ok(status === 200 || status === 401, String(status));
    return status === 200;
  };

  it('is created with a secret that is shown once and stored only as a hash', async () => {
    const made = await call('', {
      body: { app_id: acme.appId, kind: 'authenticated', name: ' Site ' },
    });
    assert.equal(made.status, 201);
    assert.equal(made.headers.get('location'), `/api/admin/widget-keys/${made.body.id}`);
    const { id, key, secret, name, kind } = made.body;
    assert.match(key, /^wk_live_[A-Za-z0-9]{32}$/);
    assert.match(secret, /^wsk_secret_[\w-]{43}$/);
    assert.deepEqual([name, kind], ['Site', 'authenticated']);
    const { secret: shown, ...rest } = made.body;
    assert.equal(shown, secret);
    assert.deepEqual((await call(`/${id}`)).body, rest);
    const rows = (await test.app.db.read('widget_secrets').select('*')) as {
      widget_key_id: number;
      secret_hash: string;
    }[];
    const hash = createHash('sha256').update(secret).digest('hex');
    assert.equal(rows.find((row) => row.widget_key_id === id)?.secret_hash, hash);
    for (const table of ['widget_secrets', 'widget_keys', 'audit_log']) {
      const text = JSON.stringify(await test.app.db.read(table).select('*'));
      assert.ok(!text.includes(secret), table);
      if (table === 'audit_log') assert.ok(!text.includes(hash));
    }
  });

  it('is unique, and so is its secret', async () => {
    const made = [await make(), await make(), await make()];
    assert.equal(new Set(made.flatMap(({ key, secret }) => [key, secret])).size, 6);
  });

  it('can be renamed, and is listed by its app', async () => {
    const { id } = await make();
    const renamed = await call(`/${id}`, { method: 'PUT', body: { name: 'Shop window' } });
    assert.deepEqual([renamed.status, renamed.body.name], [200, 'Shop window']);
    assert.equal('secret' in renamed.body, false);
    const listed = await call(`?app_id=${acme.appId}&limit=100`);
    assert.equal(listed.body.data.find((key) => key.id === id)?.name, 'Shop window');
    const frozen = await call(`/${id}`, { method: 'PUT', body: { kind: 'authenticated' } });
    assert.equal(frozen.status, 400);
  });

  it('stays listed after it is revoked, but is refused everywhere and gets no new secret', async () => {
    const { id, key, secret } = await make();
    const page = `${test.url}/api/knowledge/page?url=${encodeURIComponent(`https://${acme.domain}`)}`;
    assert.equal((await callApi(page, { key })).status, 200);
    assert.equal(await isAccepted(key, secret), true);
    assert.equal((await call(`/${id}`, { method: 'DELETE' })).status, 204);
    assert.equal((await call(`/${id}`, { method: 'DELETE' })).status, 204);
    const { body } = await call(`/${id}`);
    assert.deepEqual([body.revoked_at, body.secrets], [clock.now().toISOString(), []]);
    assert.equal((await callApi(page, { key })).status, 401);
    assert.equal(await isAccepted(key, secret), false);
    const refused = await rotate(id);
    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
  });

  it('accepts both secrets during the overlap of a rotation, then only the new one', async () => {
    const { id, key, secret: first } = await make();
    const rotated = await rotate(id);
    assert.equal(rotated.status, 200);
    const second = rotated.body.secret;
    assert.notEqual(second, first);
    const end = new Date(clock.now().getTime() + day).toISOString();
    assert.deepEqual(
      rotated.body.secrets.map((secret) => secret.expires_at),
      [null, end],
    );
    assert.deepEqual([await isAccepted(key, first), await isAccepted(key, second)], [true, true]);
    clock.advance(day - 1);
    assert.equal(await isAccepted(key, first), true);
    clock.advance(1);
    assert.deepEqual([await isAccepted(key, first), await isAccepted(key, second)], [false, true]);
  });

  it('has at most two secrets: a second rotation ends the oldest at once', async () => {
    const { id, key, secret: first } = await make();
    const second = (await rotate(id, { overlap_seconds: 30 * 86_400 })).body.secret;
    const third = (await rotate(id, { overlap_seconds: 60 })).body.secret;
    assert.deepEqual(
      [await isAccepted(key, first), await isAccepted(key, second), await isAccepted(key, third)],
      [false, true, true],
    );
    const fourth = (await rotate(id, { overlap_seconds: 0 })).body.secret;
    assert.deepEqual([await isAccepted(key, third), await isAccepted(key, fourth)], [false, true]);
    assert.equal((await call(`/${id}`)).body.secrets.length, 1);
  });

  it('refuses an overlap outside of 0 seconds to 30 days', async () => {
    const { id } = await make();
    for (const overlap_seconds of [-1, 2_592_001, 0.5, '60', 1e300]) {
      assert.equal((await rotate(id, { overlap_seconds })).status, 400, String(overlap_seconds));
    }
  });

  it('records each change without a secret', async () => {
    const { id } = await make();
    await call(`/${id}`, { method: 'PUT', body: { name: 'Named' } });
    await rotate(id);
    await call(`/${id}`, { method: 'DELETE' });
    const subject = `widget_key:${id}`;
    const records = (await auditLogOf(test, acme)).filter((one) => one.subject === subject);
    assert.deepEqual(
      records.map(({ action }) => action.replace('widget_key.', '')),
      ['create', 'update', 'rotate_secret', 'revoke'],
    );
    assert.doesNotMatch(JSON.stringify(records), /wsk_secret_/);
  });
});
