import assert from 'node:assert/strict';
import { createEntry, type EntryInput } from '../../src/knowledge/create-entry.js';
import { explainEntries } from '../../src/knowledge/explain-entries.js';
import { callApi } from '../support/api-client.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestOrganization,
} from '../support/test-app.js';

interface Found {
  data: {
    id: string;
    rank: number;
    fit: string;
    relevant: boolean;
    parts: Record<string, number>;
  }[];
  pagination: { total: number; page: number; limit: number };
  scope: { app_id: number | null; tiers: string[] };
  terms: { text: string; known: boolean }[];
  entry: {
    eligible: boolean;
    rank: number | null;
    fit: string;
    reasons: { code: string }[];
  } | null;
}

describe('GET /api/knowledge/search', () => {
  let test: Awaited<ReturnType<typeof serveTestApp>>;
  let acme: TestOrganization;
  let staff: string;

  before(async () => {
    test = await serveTestApp();
    acme = await addOrganization(test);
    staff = (await addUser(test, acme, 'backoffice')).token;
  });
  after(() => test.close());

  const add = async (change: Partial<EntryInput>) => {
    const fields = { title: 'Pumps', content: 'The pump is oiled every month.', ...change };
    const base = { domain: acme.domain, status: 'published', visibility: 'public' } as const;
    return (await createEntry(test.app, acme.operator, { ...base, ...fields })).uuid;
  };
  const search = async (query: Record<string, string>, token = staff) => {
    const path = `/api/knowledge/search?${new URLSearchParams(query).toString()}`;
    return callApi(`${test.url}${path}`, { token });
  };
  const found = async (query: Record<string, string>) => {
    const { status, body } = await search(query);
    assert.equal(status, 200);
    return body as unknown as Found;
  };
  const codes = async (query: Record<string, string>) =>
    (await found(query)).entry?.reasons.map(({ code }) => code);

  it('ranks what is found, says what each rank is made of, and raises what belongs to the page', async () => {
    const question = 'How often is the valve greased?';
    const content = 'The valve is greased twice a year.';
    const general = await add({ title: 'Valves', content });
    const here = await add({ title: 'Valves', content, urlPattern: '/valves/:id' });
    const plain = await found({ q: question });
    assert.deepEqual(
      plain.data.slice(0, 2).map(({ rank, fit }) => [rank, fit]),
      [
        [1, 'no_page'],
        [2, 'no_page'],
      ],
    );
    const url = `https://${acme.domain}/valves/7`;
    const at = await found({ q: question, url });
    assert.deepEqual(
      at.data.slice(0, 2).map(({ id, fit, relevant }) => [id, fit, relevant]),
      [
        [here, 'pattern', true],
        [general, 'domain', true],
      ],
    );
    assert.ok((at.data[0]?.parts['place'] ?? 0) > (at.data[1]?.parts['place'] ?? 0));
    assert.deepEqual(at.scope, {
      app_id: acme.appId,
      tiers: ['public', 'authenticated', 'internal'],
    });
    assert.equal(at.terms.find(({ text }) => text === 'greased')?.known, true);
    const elsewhere = await found({ q: question, url: `https://${acme.domain}/`, entry: here });
    assert.deepEqual([elsewhere.entry?.eligible, elsewhere.entry?.fit], [true, 'elsewhere']);
    assert.ok(elsewhere.entry?.rank);
  });

  it('says of an entry which right keeps it out', async () => {
    const q = 'How often is the pump oiled?';
    const draft = await add({ status: 'draft' });
    assert.deepEqual(await codes({ q, entry: draft }), ['draft']);
    const waiting = await add({ domain: 'unclaimed.example' });
    assert.deepEqual(await codes({ q, entry: waiting }), ['unclaimed_domain']);
    const internal = await add({ visibility: 'internal', status: 'draft' });
    assert.deepEqual(await codes({ q, entry: internal, tier: 'authenticated' }), ['draft', 'tier']);
    const open = await add({ visibility: 'authenticated' });
    assert.deepEqual(await codes({ q, entry: open, tier: 'public' }), ['tier']);
    assert.deepEqual(await codes({ q, entry: open, tier: 'authenticated' }), []);
  });

  it('says of an entry that its text does not answer the question', async () => {
    const pump = await add({});
    assert.deepEqual(await codes({ q: 'capital France', entry: pump }), ['no_common_words']);
    const weak = 'Which pump did Napoleon choose for the palace gardens near Versailles?';
    assert.deepEqual(await codes({ q: weak, entry: pump }), ['below_relevance']);
  });

  it('answers page by page, and a search without words with nothing', async () => {
    for (let count = 0; count < 3; count++)
      await add({ title: `Tank ${count}`, content: 'A tank.' });
    const first = await found({ q: 'tank', limit: '2' });
    const second = await found({ q: 'tank', limit: '2', page: '2' });
    assert.deepEqual(first.pagination, { total: 3, page: 1, limit: 2 });
    assert.deepEqual(
      [...first.data, ...second.data].map(({ rank }) => rank),
      [1, 2, 3],
    );
    assert.deepEqual((await found({ q: '?!' })).data, []);
  });

  it('is for those who look after the knowledge, and of their organization alone', async () => {
    const user = await addUser(test, acme, 'user');
    assert.equal((await search({ q: 'pump' }, user.token)).status, 403);
    assert.equal((await callApi(`${test.url}/api/knowledge/search?q=pump`)).status, 401);
    const other = await addOrganization(test, 'Other');
    const admin = await addUser(test, other, 'admin');
    const mine = await add({});
    assert.equal((await search({ q: 'pump', entry: mine }, admin.token)).status, 404);
    const there = await search({ q: 'pump' }, admin.token);
    assert.deepEqual((there.body as unknown as Found).data, []);
    const url = `https://${acme.domain}/`;
    assert.equal((await search({ q: 'pump', url }, admin.token)).status, 404);
    const anonymous = { kind: 'anonymous' } as const;
    const input = { text: 'pump', page: 1, limit: 1 };
    await assert.rejects(explainEntries(test.app, anonymous, input), { code: 'unauthenticated' });
  });

  it('refuses what can’t be meant, naming the field', async () => {
    assert.equal((await search({})).status, 400);
    assert.equal((await search({ q: 'pump', url: 'nowhere' })).status, 400);
    assert.equal((await search({ q: 'pump', tier: 'all' })).status, 400);
    assert.equal((await search({ q: 'pump', entry: 'none' })).status, 404);
    assert.equal((await search({ q: '\u0000' })).status, 400);
  });
});
