import assert from 'node:assert/strict';
import { errorCodes } from '../../src/platform/errors.js';
import { callApi, type ApiReply, type CallOptions } from '../support/api-client.js';
import type { Problem } from '../../src/platform/http/problems.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { addKeyWithSecret, addUserToken } from '../support/widget-keys.js';
import type { KeyWithSecret } from '../../src/federation/manage-widget-keys.js';
import { blocksOf, checkLinks, readPage, tablesUnder } from './read-page.js';

const path = 'docs/identity.md';
const refusals = 'What is refused, and what to do';

describe('docs/identity.md', () => {
  const page = readPage(path);
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let key: KeyWithSecret;

  before(async () => {
    test = await serveTestApp();
    acme = await addOrganization(test);
    key = await addKeyWithSecret(test, acme);
  });
  after(() => test.close());

  const call = (address: string, options: CallOptions): Promise<ApiReply<Problem>> =>
    callApi(test.url + address, options);
  const mint = (body: unknown, headers: Record<string, string> = {}) => {
    const secret = { 'X-Widget-Secret': key.secret };
    return call('/widget/token', { key: key.key.key, headers: { ...secret, ...headers }, body });
  };
  const own = { Origin: 'https://acme.example' };

  it('links only to existing pictures, pages and headings', () => {
    checkLinks(path);
  });

  it('lists each refusal with the service’s status and code', async () => {
    const person = { externalId: 'user-4711' };
    const token = await addUserToken(test, key, person);
    const { token: bearer } = await addUser(test, acme, 'user');
    const { token: other } = await addUser(test, acme, 'backoffice');
    const link = (body: object, by = bearer) =>
      call('/api/account-links', {
        token: by,
        body: { widgetKey: key.key.key, token, origin: own.Origin, ...body },
      });
    const attempts: Record<string, () => Promise<ApiReply<Problem>>> = {
      '/widget/token unauthenticated': () => mint(person, { 'X-Widget-Secret': 'wsk_secret_x' }),
      '/widget/token forbidden': () => mint(person, own),
      '/widget/token invalid_request': () => mint({ ...person, email: '' }),
      '/widget/… unauthenticated': () =>
        call('/widget/config', { token: `${token}x`, headers: own }),
      '/widget/… origin_not_allowed': () =>
        call('/widget/config', { token, headers: { Origin: 'https://globex.example' } }),
      '/widget/… origin_required': () => call('/widget/config', { token }),
      '/api/account-links unauthenticated': () => link({}, token),
      '/api/account-links not_found': () => link({ widgetKey: 'wk_live_unknown' }),
      '/api/account-links unprocessable': () => link({ token: `${token}x` }),
      '/api/account-links already_linked': async () => {
        assert.equal((await link({})).status, 201);
        assert.equal((await link({})).status, 200);
        return link({}, other);
      },
    };
    const [rows = []] = tablesUnder(page, refusals);
    const tried = new Set<string>();
    for (const [cell = '', answer = ''] of rows) {
      const where = cell.replaceAll('`', '');
      const [, status = '', code = ''] = /^(\d{3}) `(\w+)`$/.exec(answer) ?? [];
      const known = Object.entries(errorCodes).find(([name]) => name === code);
      assert.equal(known?.[1].status, Number(status), `${where}: ${answer}`);
      const name = `${where} ${code}`;
      const refused = await attempts[name]?.();
      if (refused === undefined) continue;
      tried.add(name);
      assert.equal(refused.status, Number(status), name);
      assert.equal(refused.body.code, code, name);
    }
    assert.deepEqual([...tried].sort(), Object.keys(attempts).sort(), 'each refusal has its row');
  });

  it('states the real limits of a token’s fields', async () => {
    const statusOf = async (body: object) => (await mint({ externalId: 'a', ...body })).status;
    const [rows = []] = tablesUnder(page, 'Step by step');
    const limits = new Map(
      rows.map(([name = '', rule = '']) => [name.replaceAll('`', ''), rule] as const),
    );
    assert.deepEqual(
      [...limits.keys()],
      [...['externalId', 'email', 'displayName', 'expiresIn', 'session']],
    );
    const bounds = (field: string) =>
      [...(limits.get(field) ?? '').replaceAll(',', '').matchAll(/\d+/g)].map(Number);
    for (const field of ['externalId', 'displayName', 'session']) {
      const [least = 0, most = 0] = bounds(field);
      assert.equal(await statusOf({ [field]: 'x'.repeat(least) }), 200, field);
      assert.equal(await statusOf({ [field]: 'x'.repeat(most) }), 200, field);
      assert.equal(await statusOf({ [field]: 'x'.repeat(least - 1) }), 400, field);
      assert.equal(await statusOf({ [field]: 'x'.repeat(most + 1) }), 400, field);
    }
    const [shortest = 0, longest = 0] = bounds('expiresIn');
    for (const expiresIn of [shortest, longest]) assert.equal(await statusOf({ expiresIn }), 200);
    for (const expiresIn of [shortest - 1, longest + 1])
      assert.equal(await statusOf({ expiresIn }), 400);
    const hour = await mint({ externalId: 'a' });
    assert.equal((hour.body as unknown as { expiresIn: number }).expiresIn, 3600);
  });

  it('requests a token with a body that the service accepts', async () => {
    const [, body = ''] = /-d '(\{"externalId.*?\})'/.exec(blocksOf(page, 'sh').join('\n')) ?? [];
    const reply = await mint(body);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
  });

  it('has the same page script in all hosts', () => {
    const [script = ''] = blocksOf(page, 'js');
    const lines = script
      .split('\n')
      .map((line) => line.replace(/ *\/\/.*/, '').trim())
      .filter((line) => line !== '');
    assert.ok(lines.length > 6);
    for (const language of ['ts', 'python', 'php']) {
      const host = blocksOf(page, language).find((block) => block.includes('Run it: ')) ?? '';
      for (const line of lines) assert.ok(host.includes(line), `${language} lacks: ${line}`);
    }
  });
});
