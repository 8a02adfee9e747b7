import assert from 'node:assert/strict';
import { addEntries, removeEntries } from '../../../src/knowledge/store-entries.js';
import { inTransaction } from '../../../src/platform/db/in-transaction.js';
import { searchPassages } from '../../../src/search/search-passages.js';
import {
  isIndexOutdated,
  readFormat,
  writeFormat,
} from '../../../src/search/term-index/index-format.js';
import { makeInstallation } from '../../support/run-cli.js';
import { entryFields } from '../../support/stored-entry.js';
import {
  addOrganization,
  onSqlite,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';

describe('The search index of an older version', () => {
  let test: TestApp;
  let acme: TestOrganization;
  beforeEach(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  const nameOf = (number: number) => `name${String.fromCharCode(97 + (number % 26))}${number}`;
  const store = (number: number) =>
    inTransaction(test.app, (app) =>
      addEntries(
        app,
        Array.from({ length: number }, (_, at) =>
          entryFields(acme, { title: `Entry ${at}`, content: `It is called ${nameOf(at)}.` }),
        ),
      ),
    );
  /** As if its features were others: here all passages have those of the first one. */
  const makeOlder = async () => {
    const { write } = test.app.db;
    const first = write('passage_features').orderBy('passage_id').limit(1).select('features');
    await write('passage_features').update({ features: first });
    await writeFormat(test.app, 0);
  };
  const find = async (text: string) => {
    const app = await test.openAnother();
    try {
      const { organizationId } = acme.operator;
      const scope = { organizationId, appId: acme.appId, tiers: ['public' as const] };
      const { passages } = await searchPassages(app, { text, scope, limit: 5 });
      return passages[0]?.title;
    } finally {
      await app.close();
    }
  };

  it('is rebuilt completely, across several batches', async () => {
    await store(700);
    await makeOlder();
    assert.equal(await find(nameOf(3)), 'Entry 3');
    assert.equal(await find(nameOf(650)), 'Entry 650');
  }).timeout(20_000);

  it('accepts new entries while its segments are damaged', async () => {
    await store(70);
    await test.app.db.write('term_lists').update({ terms: Buffer.from([1]) });
    for (let times = 0; times < 4; times++) await store(70);
    const segments = (await test.app.db.read('term_segments').pluck('id')) as number[];
    assert.equal(segments.length, 5);
  }).timeout(20_000);

  it('is rebuilt without words that no passage contains', async () => {
    const [first, second] = await store(2);
    assert.ok(first && second);
    await inTransaction(test.app, (app) => removeEntries(app, [first.id]));
    await makeOlder();
    await find('called');
    const terms = (await test.app.db.read('vocabulary').pluck('term')) as string[];
    assert.ok(!terms.includes(nameOf(0)) && terms.includes(nameOf(1)), terms.join());
  });

  it('is rebuilt once if its version row was deleted', async () => {
    await store(3);
    await test.app.db.write('search_index').delete();
    const again = await test.openAnother();
    try {
      assert.equal(await isIndexOutdated(again), false);
    } finally {
      await again.close();
    }
  });

  it('is left unchanged by an older program, which refuses to open it', async () => {
    await store(3);
    await writeFormat(test.app, 99);
    await assert.rejects(test.openAnother(), { code: 'database_newer', message: /99/ });
    await assert.rejects(isIndexOutdated(test.app), { code: 'database_newer' });
    assert.equal(await readFormat(test.app), 99);
  });

  onSqlite(describe)('by a command', () => {
    it('is rebuilt only by assistant upgrade if auto_migrate is off', async () => {
      const installation = await makeInstallation();
      try {
        const env = {
          ASSISTANT_DATABASE_PATH: test.app.config.database.path,
          ASSISTANT_DATABASE_AUTO_MIGRATE: 'false',
        };
        await store(3);
        await makeOlder();
        const search = () => installation.run(['knowledge', 'search', nameOf(2)], { env });
        const refused = await search();
        assert.equal(refused.code, 4, refused.stderr);
        assert.match(refused.stderr, /assistant upgrade/);
        await test.app.db.close();
        const planned = await installation.run(['upgrade', '--check', '--estimate'], { env });
        assert.match(planned.stdout, /search-index/);
        const migrated = await installation.run(['upgrade'], { env });
        assert.match(migrated.stdout, /Applied:\s+search-index/, migrated.stderr);
        assert.match((await search()).stdout, /Entry 2/);
        assert.match((await installation.run(['upgrade'], { env })).stdout, /up to date/);
      } finally {
        await installation.remove();
      }
    });
  });
});
