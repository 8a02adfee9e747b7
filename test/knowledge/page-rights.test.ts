import assert from 'node:assert/strict';
import { createApp } from '../../src/tenancy/create-app.js';
import { callApi, type ApiReply, type CallOptions } from '../support/api-client.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { addWidgetKey } from '../support/widget-keys.js';

interface PageBody {
  status: string;
  code?: string;
  content: { visibility: string } | null;
  contents: { title: string; visibility: string }[];
  stats: { appContentCount: number; domainContentCount: number; scopedContentCount: number };
}

describe('A page query shows a caller', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let globex: TestOrganization;

  before(async () => {
    test = await serveTestApp();
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

  const query = (options: CallOptions): Promise<ApiReply<PageBody>> => {
    const url = encodeURIComponent(`https://${acme.domain}/install`);
    return callApi<PageBody>(`${test.url}/api/knowledge/page?url=${url}`, options);
  };
  /** The tiers must show in what is listed, in the best one, and in every count alike. */
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

  it('without a credential what is public', async () => {
    await assertSees({}, ['public']);
  });

  it('who is a user of the organization what is public or for the signed-in', async () => {
    const { token } = await addUser(test, acme, 'user');
    await assertSees({ token }, ['public', 'authenticated']);
  });

  it('who is staff everything', async () => {
    for (const role of ['backoffice', 'admin'] as const) {
      const { token } = await addUser(test, acme, role);
      await assertSees({ token }, ['public', 'authenticated', 'internal']);
    }
  });

  it('from another organization only what is public, even its administrator', async () => {
    const { token } = await addUser(test, globex, 'admin');
    await assertSees({ token }, ['public']);
  });

  it('with a public widget key what is public', async () => {
    await assertSees({ key: await addWidgetKey(test, acme, 'public') }, ['public']);
  });

  it('with an authenticated widget key what is for the signed-in too', async () => {
    const key = await addWidgetKey(test, acme, 'authenticated');
    await assertSees({ key }, ['public', 'authenticated']);
  });

  it('with the key of another app, of this organization or another, only what is public', async () => {
    const second = await createApp(test.app, acme.operator, { name: 'Second' });
    const beside = await addWidgetKey(test, acme, 'authenticated', { appId: second.id });
    await assertSees({ key: beside }, ['public']);
    await assertSees({ key: await addWidgetKey(test, globex, 'authenticated') }, ['public']);
  });

  it('nothing with a credential that does not hold: 401, never the public page', async () => {
    const { token } = await addUser(test, globex, 'backoffice');
    const key = await addWidgetKey(test, acme, 'public');
    const calls: CallOptions[] = [
      { token: 'nonsense' },
      { token: `${token}x` },
      { key: await addWidgetKey(test, acme, 'authenticated', { revoked: true }) },
      { key: `wk_live_${'0'.repeat(32)}` },
      { key, token },
      { headers: { Authorization: 'Basic dTpw' } },
    ];
    for (const call of calls) {
      const { status, body } = await query(call);
      assert.deepEqual([status, body.code], [401, 'unauthenticated'], JSON.stringify(call));
      assert.equal('contents' in body, false);
    }
  });
});
