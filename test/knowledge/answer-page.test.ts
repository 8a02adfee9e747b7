import assert from 'node:assert/strict';
import fc from 'fast-check';
import { revokeWidgetKey } from '../../src/federation/manage-widget-keys.js';
import { answerPage } from '../../src/knowledge/answer-page.js';
import { createEntry } from '../../src/knowledge/create-entry.js';
import { deleteEntry } from '../../src/knowledge/delete-entry.js';
import { presentPage } from '../../src/knowledge/page.schema.js';
import { queryPage, type PageQuery } from '../../src/knowledge/query-page.js';
import { updateEntry } from '../../src/knowledge/update-entry.js';
import { visibilities, type Actor } from '../../src/platform/actor.js';
import type { App } from '../../src/platform/app.js';
import { inTransaction } from '../../src/platform/db/in-transaction.js';
import { readRecently, recentMs } from '../../src/platform/db/recent-reads.js';
import { updateApp } from '../../src/tenancy/manage-apps.js';
import { claimDomain, releaseDomain } from '../../src/tenancy/manage-domains.js';
import { createView, updateView } from '../../src/tenancy/manage-views.js';
import { callApi } from '../support/api-client.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import { addKeyWithSecret } from '../support/widget-keys.js';

describe('A cached answer of the page query', () => {
  let test: TestApp & { url: string };
  let other: Awaited<ReturnType<TestApp['openAnother']>>;
  let clock: TestClock;
  let acme: TestOrganization;

  beforeEach(async () => {
    clock = createTestClock();
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    other = await test.openAnother({ clock });
  });
  afterEach(async () => {
    await other.close();
    await test.close();
  });

  const second = '*.second.example';
  const queries: PageQuery[] = [
    ...['/a/b', '/a/b?tab=1', '/a/c', '/'].map((path) => ({ url: `https://acme.example${path}` })),
    { url: 'https://acme.example/a/b', viewPath: '/v' },
    { url: 'https://acme.example/a/b', language: 'de' },
    { url: 'https://acme.example/a/b', ownOnly: true },
    { url: 'https://x.second.example/a/b' },
  ];

  /** Compares the bytes with an answer that is read for this alone. */
  async function assertCurrent(actors: Actor[]): Promise<void> {
    for (const actor of actors) {
      for (const query of queries) {
        const { json } = await answerPage(test.app, actor, query);
        const fresh = presentPage(await queryPage(test.app, actor, query));
        assert.equal(json.toString(), JSON.stringify(fresh), `${actor.kind} ${query.url}`);
      }
    }
  }

  const fields = fc.record({
    status: fc.constantFrom('draft' as const, 'published' as const),
    visibility: fc.constantFrom(...visibilities),
    urlPattern: fc.constantFrom('/a/*', '/a/b', '/:x/c', null),
    domain: fc.constantFrom('acme.example', second, null),
    inView: fc.boolean(),
    title: fc.constantFrom('Pumps', 'Wie man die Pumpe reinigt', 'A "quoted" title'),
  });
  type Change = typeof fields extends fc.Arbitrary<infer F> ? F : never;
  const changes = fc.array(
    fc.record({
      byOther: fc.boolean(),
      at: fc.nat(9),
      fields,
      kind: fc.constantFrom('create', 'create', 'edit', 'edit', 'delete', 'app', 'domain', 'view'),
    }),
    { minLength: 1, maxLength: 15 },
  );

  it('equals an uncached answer after any changes by any process, for every reader', async () => {
    const globex = await addOrganization(test, 'Globex');
    const { organizationId } = acme.operator;
    const own = { organizationId, appId: acme.appId };
    const actors: Actor[] = [
      { kind: 'anonymous' },
      { kind: 'widget_key', ...own, keyKind: 'authenticated' },
      { kind: 'user', organizationId, userId: 1, role: 'user' },
      acme.operator,
      globex.operator,
    ];
    const ids: string[] = [];
    let domain: number | undefined;
    let view: number | undefined;
    let names = 0;
    const apply = async (app: App, kind: string, at: number, { inView, ...given }: Change) => {
      const bound = { viewId: view, urlPattern: null, domain: acme.domain };
      const entry = { ...given, viewId: null, ...(inView && view !== undefined ? bound : {}) };
      const id = ids[at % Math.max(1, ids.length)];
      const { operator, appId } = acme;
      if (kind === 'app') await updateApp(app, operator, appId, { name: `Renamed ${++names}` });
      else if (kind === 'domain' && domain === undefined)
        domain = (await claimDomain(app, operator, { host: second, appId })).domain.id;
      else if (kind === 'domain') {
        await releaseDomain(app, operator, domain ?? 0);
        domain = undefined;
      } else if (kind === 'view') {
        const path = at % 2 === 0 ? '/v' : '/w';
        view ??= (await createView(app, operator, { appId, path: '/w', title: 'V' })).id;
        await updateView(app, operator, view, { path });
      } else if (kind === 'create' || id === undefined) {
        const text = { content: 'Die Pumpe läuft nicht, wenn das Ventil zu ist.', title: 'x' };
        ids.push((await createEntry(app, operator, { ...text, appId, ...entry })).uuid);
      } else if (kind === 'edit') await updateEntry(app, operator, id, entry);
      else {
        await deleteEntry(app, operator, id);
        ids.splice(ids.indexOf(id), 1);
      }
    };
    await fc.assert(
      fc.asyncProperty(changes, async (steps) => {
        for (const { byOther, kind, at, fields } of steps) {
          await apply(byOther ? other : test.app, kind, at, fields);
          // This process sees its own change at once.
          if (byOther) clock.advance(recentMs + 1);
          await assertCurrent(actors);
        }
      }),
      { numRuns: 20 },
    );
  });

  const page = (key?: string, headers: Record<string, string> = {}) =>
    callApi<{ code?: string; status: string; contents?: unknown[] }>(
      `${test.url}/api/knowledge/page?url=https://${acme.domain}/`,
      { ...(key === undefined ? {} : { key }), headers },
    );

  it('ends within 20 ms with the key, the domain and the tier that another process takes away', async () => {
    const { uuid } = await storeEntry(test, acme, {
      title: 'Members',
      content: 'For members.',
      visibility: 'authenticated',
    });
    const { key } = await addKeyWithSecret(test, acme, { kind: 'authenticated' });
    const origin = { Origin: `https://${acme.domain}` };
    const seen = async () => {
      clock.advance(recentMs + 1);
      const { status, body } = await page(key.key, origin);
      return [status, body.code ?? body.contents?.length];
    };
    assert.deepEqual(await seen(), [200, 1]);
    await updateEntry(other, acme.operator, uuid, { visibility: 'internal' });
    assert.deepEqual(await seen(), [200, 0]);
    await other.db.write('domains').where({ host: acme.domain }).delete();
    assert.deepEqual(await seen(), [403, 'origin_not_allowed']);
    await claimDomain(other, acme.operator, { host: acme.domain, appId: acme.appId });
    assert.deepEqual(await seen(), [200, 0]);
    await revokeWidgetKey(other, acme.operator, key.id);
    assert.deepEqual(await seen(), [401, 'unauthenticated']);
  });

  it('ends at once with a key that this process revokes', async () => {
    const { key } = await addKeyWithSecret(test, acme, { kind: 'authenticated' });
    assert.equal((await page(key.key)).status, 200);
    await revokeWidgetKey(test.app, acme.operator, key.id);
    assert.equal((await page(key.key)).status, 401);
  });

  it('is not sent again to a client that names its tag, until it changes or the right ends', async () => {
    const { key } = await addKeyWithSecret(test, acme, { kind: 'authenticated' });
    const text = { content: 'For members.', visibility: 'authenticated' } as const;
    await storeEntry(test, acme, { ...text, title: 'Members' });
    const first = await page(key.key);
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]{27}"$/);
    assert.notEqual((await page()).headers.get('etag'), etag, 'another tier has another tag');
    const again = () => page(key.key, { 'If-None-Match': etag, Origin: `https://${acme.domain}` });
    const { status, headers, body } = await again();
    assert.deepEqual([status, body, headers.get('etag')], [304, undefined, etag]);
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.match(headers.get('access-control-expose-headers') ?? '', /ETag/);
    await storeEntry(test, acme, { ...text, title: 'More' });
    assert.equal((await again()).status, 200);
    await revokeWidgetKey(test.app, acme.operator, key.id);
    assert.equal((await again()).status, 401);
  });

  it('is made once for readers who come at the same time', async () => {
    await storeEntry(test, acme, { title: 'Pumps', content: 'About pumps.' });
    let reads = 0;
    test.app.db.read.on('query', ({ sql }: { sql: string }) => {
      if (sql.includes('knowledge_entries')) reads++;
    });
    const ask = () =>
      answerPage(test.app, { kind: 'anonymous' }, { url: `https://${acme.domain}/` });
    const answers = await Promise.all([ask(), ask(), ask()]);
    // The order of the entries, and then their texts.
    assert.equal(reads, 2);
    assert.equal(new Set(answers.map(({ json }) => json.toString())).size, 1);
  });

  it('comes from no read that began before a change of this process', async () => {
    const app = test.app;
    let end = (_: string) => {};
    const old = readRecently(app, 'x', () => new Promise<string>((done) => (end = done)));
    await inTransaction(app, () => Promise.resolve());
    assert.equal(await readRecently(app, 'x', () => Promise.resolve('new')), 'new');
    end('old');
    assert.equal(await old, 'old');
    assert.equal(await readRecently(app, 'x', () => Promise.resolve('newer')), 'new');
  });

  it('comes from no failed read, and inside a transaction from no earlier one', async () => {
    const app = test.app;
    const fails = () => Promise.reject(new Error('busy'));
    await assert.rejects(readRecently(app, 'x', fails));
    assert.equal(await readRecently(app, 'x', () => Promise.resolve('read')), 'read');
    await inTransaction(app, async (app) => {
      assert.equal(await readRecently(app, 'x', () => Promise.resolve('one')), 'one');
      assert.equal(await readRecently(app, 'x', () => Promise.resolve('two')), 'two');
    });
  });
});
