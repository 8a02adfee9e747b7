import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createEntry } from '../../src/knowledge/create-entry.js';
import { deleteEntry } from '../../src/knowledge/delete-entry.js';
import { normalizePattern } from '../../src/knowledge/match-pattern.js';
import { matchesPattern } from '../../src/search/passages/place.js';
import { queryPage } from '../../src/knowledge/query-page.js';
import { updateEntry } from '../../src/knowledge/update-entry.js';
import type { Actor } from '../../src/platform/actor.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { PatternIndex } from '../../src/knowledge/app-places.js';

describe('The places of an app', () => {
  let test: TestApp;
  let acme: TestOrganization;

  beforeEach(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  const segment = fc.constantFrom('a', 'b', ':id', ':name', 'ü', '');
  const pathOf = (segments: string[]) => normalizePattern(`/${segments.join('/')}`);
  const patterns = fc
    .tuple(fc.array(segment, { maxLength: 4 }), fc.boolean())
    .map(([segments, rest]) => pathOf(rest ? [...segments, '*'] : segments));
  const paths = fc
    .array(fc.constantFrom('a', 'b', 'c', 'ü', ''), { maxLength: 5 })
    .map((segments) => pathOf(segments));

  it('find exactly the URL patterns that match a path', () => {
    fc.assert(
      fc.property(fc.uniqueArray(patterns, { maxLength: 12 }), paths, (all, path) => {
        const expected = all.filter((pattern) => matchesPattern(pattern, path));
        assert.deepEqual(new PatternIndex(all).matching(path).sort(), expected.sort());
      }),
      { numRuns: 2000 },
    );
  });

  /** The expected counts, from the entries themselves. */
  const counted = async () =>
    (await test.app.db.read.raw(
      `select app_id, scope, coalesce(domain, '') as domain, coalesce(url_pattern, '') as url_pattern,
       coalesce(view_id, 0) as view_id, visibility, count(*) as entries from knowledge_entries
       where app_id is not null and status = 'published' group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`,
    )) as unknown;
  const kept = async () =>
    (await test.app.db
      .read('knowledge_places')
      .orderBy(['app_id', 'scope', 'domain', 'url_pattern', 'view_id', 'visibility'])
      .select('*')) as unknown;

  it('have correct counts after any creation, change and deletion of entries', async () => {
    const status = fc.constantFrom('draft' as const, 'published' as const);
    const visibility = fc.constantFrom('public' as const, 'internal' as const, null);
    const urlPattern = fc.constantFrom('/a', '/b/*', null);
    const domain = fc.constantFrom(acme.domain, 'unclaimed.example');
    const fields = fc.record({ status, visibility, urlPattern, domain });
    const step = fc.oneof(
      fc.record({ kind: fc.constant('create' as const), fields }),
      fc.record({ kind: fc.constant('update' as const), at: fc.nat(20), fields }),
      fc.record({ kind: fc.constant('delete' as const), at: fc.nat(20) }),
    );
    const { app } = test;
    const ids: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        for (const next of steps) {
          if (next.kind === 'create') {
            const text = { title: 'x', content: 'y' };
            ids.push((await createEntry(app, acme.operator, { ...text, ...next.fields })).uuid);
            continue;
          }
          const id = ids[next.at % ids.length];
          if (id === undefined) continue;
          if (next.kind === 'update') await updateEntry(app, acme.operator, id, next.fields);
          else {
            await deleteEntry(app, acme.operator, id);
            ids.splice(ids.indexOf(id), 1);
          }
        }
        assert.deepEqual(await kept(), await counted());
      }),
      { numRuns: 25 },
    );
  });

  it('show the changes of another process at once', async () => {
    const actor: Actor = { kind: 'anonymous' };
    const url = `https://${acme.domain}/a/b`;
    const titles = async () =>
      (await queryPage(test.app, actor, { url })).entries.map(({ title }) => title);
    assert.deepEqual(await titles(), []);
    const other = await test.openAnother();
    try {
      const fields = { domain: acme.domain, status: 'published', content: 'y' } as const;
      const { uuid } = await createEntry(other, acme.operator, { ...fields, title: 'whole' });
      assert.deepEqual(await titles(), ['whole']);
      await createEntry(other, acme.operator, { ...fields, title: 'bound', urlPattern: '/a/*' });
      assert.deepEqual(await titles(), ['bound', 'whole']);
      await updateEntry(other, acme.operator, uuid, { title: 'renamed' });
      assert.deepEqual(await titles(), ['bound', 'renamed']);
      await updateEntry(other, acme.operator, uuid, { visibility: 'internal' });
      assert.deepEqual(await titles(), ['bound']);
    } finally {
      await other.close();
    }
  });

  it('return the 50 most specific entries, even if more places match', async () => {
    for (let index = 0; index < 70; index++) {
      await storeEntry(test, acme, {
        title: `name ${index}`,
        content: 'y',
        urlPattern: `/:n${index}`,
      });
    }
    await storeEntry(test, acme, { title: 'literal', content: 'y', urlPattern: '/a' });
    await storeEntry(test, acme, { title: 'domain', content: 'y' });
    const url = `https://${acme.domain}/a`;
    const { entries, stats } = await queryPage(test.app, { kind: 'anonymous' }, { url });
    assert.equal(entries.length, 50);
    assert.equal(entries[0]?.title, 'literal');
    assert.deepEqual(stats, { app: 72, domain: 72, scoped: 71 });
  });
});
