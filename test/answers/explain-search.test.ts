import assert from 'node:assert/strict';
import { answerQuestion } from '../../src/answers/answer-question.js';
import { createEntry, type EntryInput } from '../../src/knowledge/create-entry.js';
import { explainEntries } from '../../src/answers/explain-entries.js';
import type { Visibility } from '../../src/platform/actor.js';
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
    title: string;
    relevant: boolean;
    likelihood: number | null;
    parts: Record<string, number>;
  }[];
  pagination: { total: number; page: number; limit: number };
  scope: { app_id: number | null; tiers: string[] };
  terms: { text: string; known: boolean; weight: number }[];
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
    test = await serveTestApp({ answers: { mode: 'extractive' } });
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

  it('ranks results, explains each rank and raises entries of the page', async () => {
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

  it('marks as relevant what an answer would quote, and nothing if the answer would be a refusal', async () => {
    await add({ title: 'Capital letters', content: 'What is a name begins with a capital.' });
    await add({ title: 'Signing in', content: 'A token is valid for 15 minutes. Then sign in.' });
    const outcomes: Record<string, boolean> = {};
    for (const q of [
      'What is the capital of France?',
      'For how long is a token valid?',
      'What does the valve look like from the inside of the palace?',
    ]) {
      const scope = {
        organizationId: acme.operator.organizationId,
        appId: undefined,
        tiers: ['public', 'authenticated', 'internal'] as Visibility[],
      };
      const asked = { text: q, scope, place: undefined, page: undefined, history: [] };
      const answer = await answerQuestion(test.app, asked);
      const relevant = (await found({ q })).data.filter((one) => one.relevant);
      assert.equal(relevant.length > 0, answer.found, q);
      const ids = relevant.map(({ id }) => id);
      assert.ok(answer.sources.every(({ entryUuid }) => ids.includes(entryUuid)));
      outcomes[q] = answer.found === true;
    }
    // Both outcomes, or else it shows nothing.
    assert.deepEqual(new Set(Object.values(outcomes)), new Set([true, false]));
  });

  it('reports that other entries precede an entry in the answer', async () => {
    for (let count = 0; count < 12; count++) {
      await add({ title: `Motor ${count}`, content: 'The motor turns at 900 rounds a minute.' });
    }
    const q = 'At how many rounds a minute does the motor turn?';
    const { data } = await found({ q, limit: '100' });
    const last = data.findLast(({ title }) => title.startsWith('Motor'));
    assert.deepEqual([last?.relevant, last?.likelihood], [false, null]);
    assert.deepEqual(await codes({ q, entry: last?.id ?? '' }), ['outranked']);
  });

  it('reveals no word or word count of another organization', async () => {
    const other = await addOrganization(test, 'Neighbour');
    const draft = { title: 'Plans', content: 'Project quetzalcoatlus.', domain: other.domain };
    const rights = { status: 'draft', visibility: 'internal' } as const;
    await createEntry(test.app, other.operator, { ...draft, ...rights });
    await add({ title: 'Own plans', content: 'Project archaeopteryx.', visibility: 'internal' });
    const terms = async (q: string, tier?: string) =>
      (await found(tier === undefined ? { q } : { q, tier })).terms;
    const [theirs] = await terms('quetzalcoatlus');
    const [nobodys] = await terms('xylophon');
    assert.deepEqual([theirs?.known, theirs?.weight], [false, nobodys?.weight]);
    assert.equal((await terms('archaeopteryx'))[0]?.known, true);
    assert.equal((await terms('archaeopteryx', 'public'))[0]?.known, false);
  });

  it('names the right that excludes an entry', async () => {
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

  it('reports that the text of an entry does not answer the question', async () => {
    const pump = await add({});
    assert.deepEqual(await codes({ q: 'capital France', entry: pump }), ['no_common_words']);
    const weak = 'Which pump did Napoleon choose for the palace gardens near Versailles?';
    assert.deepEqual(await codes({ q: weak, entry: pump }), ['below_relevance']);
  });

  it('returns pages, and no results for a search without words', async () => {
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

  it('is allowed only to knowledge staff, within their own organization', async () => {
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

  it('refuses invalid input and names the field', async () => {
    assert.equal((await search({})).status, 400);
    assert.equal((await search({ q: 'pump', url: 'nowhere' })).status, 400);
    assert.equal((await search({ q: 'pump', tier: 'all' })).status, 400);
    assert.equal((await search({ q: 'pump', entry: 'none' })).status, 404);
    assert.equal((await search({ q: '\u0000' })).status, 400);
  });
});
