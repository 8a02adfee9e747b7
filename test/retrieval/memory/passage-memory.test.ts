import assert from 'node:assert/strict';
import { deleteEntry } from '../../../src/knowledge/delete-entry.js';
import { publishEntries } from '../../../src/knowledge/store-entries.js';
import { inTransaction } from '../../../src/platform/db/in-transaction.js';
import { hashOf } from '../../../src/platform/text/term-features.js';
import {
  recallPassages,
  rememberPassages,
  settingsOf,
  type RememberedPassages,
} from '../../../src/retrieval/memory/passage-memory.js';
import { countTotals } from '../../../src/retrieval/passages.repository.js';
import { searchPassages } from '../../../src/retrieval/search-passages.js';
import { storeEntry } from '../../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';

describe('The passages in memory', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let memory: RememberedPassages;
  beforeEach(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
    for (const part of ['pump', 'valve', 'filter', 'motor']) {
      const content = `The ${part} is greased twice a year. Its gasket is kept in hall 7.`;
      await storeEntry(test, acme, { title: `About the ${part}`, content });
    }
    memory = rememberPassages(test.app);
    await memory.refresh();
  });
  afterEach(async () => {
    await memory.stop();
    await test.close();
  });

  const recalled = async (app = test.app) => recallPassages(app, await countTotals(app));
  const find = async (text: string, app = test.app) => {
    const { organizationId } = acme.operator;
    const scope = { organizationId, appId: undefined, tiers: ['public' as const] };
    return searchPassages(app, { text, scope, limit: 10 });
  };

  it('find and score what the database does', async () => {
    const questions = ['How often is the pump greased?', 'gaskets', 'valv', 'nothing of it', ''];
    for (const question of [...questions, 'filter '.repeat(200), 'Wo liegt die Dichtung?']) {
      assert.ok(await recalled());
      const remembered = await find(question);
      await memory.stop();
      assert.equal(await recalled(), undefined);
      assert.deepEqual(remembered, await find(question), question);
      memory = rememberPassages(test.app);
      await memory.refresh();
    }
  });

  it('are left alone while the index is another, and serve again once the change was read', async () => {
    const content = 'The turbine is made of graphite.';
    const { uuid } = await storeEntry(test, acme, { title: 'Turbine', content });
    assert.equal(await recalled(), undefined);
    assert.equal((await find('turbine')).passages[0]?.title, 'Turbine');
    await memory.refresh();
    assert.ok(await recalled());
    assert.equal((await find('turbine')).passages[0]?.title, 'Turbine');
    await deleteEntry(test.app, acme.operator, uuid);
    assert.equal(await recalled(), undefined);
    assert.deepEqual((await find('turbine')).passages, []);
    await memory.refresh();
    assert.ok(await recalled());
    const { passages, terms } = await find('turbine');
    assert.deepEqual([passages, terms[0]?.known], [[], false]);
  });

  it('follow what another process stores, publishes and deletes', async () => {
    const other = await openTestApp({ database: { path: test.app.config.database.path } });
    try {
      const content = 'The turbine is made of graphite.';
      const draft = { title: 'Turbine', content, status: 'draft' as const };
      const entry = await storeEntry(other, acme, draft);
      await memory.refresh();
      assert.deepEqual((await find('turbine')).passages, []);
      await inTransaction(other.app, (app) => publishEntries(app, [entry], 'operator'));
      assert.equal((await find('turbine')).passages.length, 1);
      await memory.refresh();
      assert.ok(await recalled());
      assert.equal((await find('turbine')).passages.length, 1);
      await deleteEntry(other.app, acme.operator, entry.uuid);
      assert.deepEqual((await find('turbine')).passages, []);
    } finally {
      await other.close();
    }
  });

  it('read all changes where passages came and went, and others were changed, since they were read', async () => {
    const content = 'The turbine is made of graphite.';
    const first = await storeEntry(test, acme, { title: 'First', content, status: 'draft' });
    await memory.refresh();
    const second = await storeEntry(test, acme, { title: 'Second', content });
    await deleteEntry(test.app, acme.operator, second.uuid);
    await storeEntry(test, acme, { title: 'Third', content });
    await inTransaction(test.app, (app) => publishEntries(app, [first], 'operator'));
    await memory.refresh();
    const now = await recalled();
    assert.ok(now);
    const titles = (await find('turbine')).passages.map(({ title }) => title);
    assert.deepEqual(titles.sort(), ['First', 'Third']);
    const rows: { id: number; published: number }[] = await test.app.db
      .read('passages')
      .select('id', 'published');
    for (const { id, published } of rows) {
      assert.equal(settingsOf(now, id)?.published, published === 1);
    }
    assert.equal(settingsOf(now, Math.max(...rows.map(({ id }) => id)) + 1), undefined);
  });

  it('tell nothing of a hidden word whose hash begins like that of a visible one', async () => {
    const seen = new Map<number, string>();
    let pair: [string, string] | undefined;
    for (let number = 0; pair === undefined; number++) {
      const word = `kx${number}q`;
      const before = seen.get(hashOf(word) >>> 8);
      if (before !== undefined) pair = [before, word];
      seen.set(hashOf(word) >>> 8, word);
    }
    const [shown, hidden] = pair;
    await storeEntry(test, acme, { title: 'Shown', content: `The code is ${shown}.` });
    const secret = { title: 'Hidden', content: `The code is ${hidden}.` };
    await storeEntry(test, acme, { ...secret, visibility: 'internal' });
    await memory.refresh();
    assert.ok(await recalled());
    const known = async (word: string) => (await find(word)).terms.map((term) => term.known);
    assert.deepEqual(await known(shown), [true]);
    assert.deepEqual(await known(hidden), [false]);
  });

  it('are none within a transaction, which finds what it has stored itself', async () => {
    await inTransaction(test.app, async (app) => {
      assert.equal(recallPassages(app, await countTotals(app)), undefined);
      const content = 'The turbine is made of graphite.';
      await storeEntry({ app: { ...test.app, ...app } }, acme, { title: 'Turbine', content });
      const { passages } = await find('turbine', { ...test.app, ...app });
      assert.equal(passages.length, 1);
    });
  });

  it('are given back when nobody serves any more', async () => {
    await memory.stop();
    assert.equal(await recalled(), undefined);
    assert.equal((await find('pump')).passages[0]?.title, 'About the pump');
  });
});
