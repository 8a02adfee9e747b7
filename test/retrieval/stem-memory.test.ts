import assert from 'node:assert/strict';
import { deleteEntry } from '../../src/knowledge/delete-entry.js';
import { hashOf } from '../../src/platform/text/term-features.js';
import { createStemScorer } from '../../src/retrieval/score-stems.js';
import { recallStems } from '../../src/retrieval/stem-memory.js';
import { searchPassages } from '../../src/retrieval/search-passages.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

/** More than a search scores exactly. */
const crowd = 310;

describe('What a search remembers of passages', () => {
  let test: TestApp;
  let acme: TestOrganization;
  beforeEach(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  const idOf = async (entryId: number) =>
    ((await test.app.db.read('passages').where({ entry_id: entryId }).pluck('id')) as number[])[0];
  const find = async (text: string) => {
    const { organizationId } = acme.operator;
    const scope = { organizationId, appId: undefined, tiers: ['public' as const] };
    const { passages } = await searchPassages(test.app, { text, scope, limit: 3 });
    return passages.map(({ title }) => title);
  };
  const storeCrowd = async () => {
    for (let number = 0; number < crowd; number++) {
      const content = `The gasket is stored with the other parts in hall ${number}.`;
      await storeEntry(test, acme, { title: `Hall ${number}`, content });
    }
  };

  it('scores the stems of a passage, the best form of each word, as they are recalled twice', async () => {
    const text = { title: 'Gaskets', content: 'A gasket seals. Grease it.' };
    const { id: entryId } = await storeEntry(test, acme, text);
    const id = await idOf(entryId);
    assert.ok(id !== undefined);
    const word = (terms: string[], weight: number) => ({
      forms: terms.map((term) => ({ hash: hashOf(term), weight })),
    });
    const gasket = createStemScorer([word(['gasket', 'gaskets'], 3)], 6);
    const [once] = await recallStems(test.app, [id]);
    const [again] = await recallStems(test.app, [id]);
    assert.ok(once && again);
    assert.ok(gasket(once) > 3);
    assert.equal(gasket(again), gasket(once));
    assert.equal(createStemScorer([word(['valve'], 3)], 6)(once), 0);
    // A form that two words have in common counts for both.
    const both = createStemScorer([word(['gasket'], 3), word(['gasket', 'seal'], 3)], 6);
    assert.ok(Math.abs(both(once) - 2 * gasket(once)) < 1e-9);
    // Of two forms of one word the better counts, in whichever order they come.
    const seal = createStemScorer(
      [{ forms: [...word(['gasket'], 3).forms, ...word(['seal'], 1).forms] }],
      6,
    );
    assert.equal(seal(once), gasket(once));
  });

  it('nothing of passages that are gone or never were', async () => {
    const entry = await storeEntry(test, acme, { title: 'Pump', content: 'Oil it.' });
    const id = await idOf(entry.id);
    assert.ok(id !== undefined);
    assert.deepEqual(await recallStems(test.app, [id + 1]), [undefined]);
    await deleteEntry(test.app, acme.operator, entry.uuid);
    assert.deepEqual(await recallStems(test.app, [id]), [undefined]);
    assert.deepEqual(await recallStems(test.app, []), []);
  });

  it('finds the one of many that holds all words of the question, and the next when it is stored', async () => {
    await storeCrowd();
    const content = 'The gasket of the pump is greased twice a year.';
    await storeEntry(test, acme, { title: 'Greasing', content });
    assert.equal((await find('When is the gasket of the pump greased?'))[0], 'Greasing');
    const further = 'The gasket of the valve is tightened on Mondays.';
    await storeEntry(test, acme, { title: 'Valves', content: further });
    assert.equal((await find('When is the gasket of the valve tightened?'))[0], 'Valves');
  });

  it('finds at once what another process has stored, and no longer what it has deleted', async () => {
    await storeCrowd();
    const file = test.app.config.database.path;
    assert.equal((await find('gasket of the turbine'))[0]?.startsWith('Hall'), true);
    const other = await openTestApp({ database: { path: file } });
    try {
      const content = 'The gasket of the turbine is made of graphite.';
      const { uuid } = await storeEntry(other, acme, { title: 'Turbine', content });
      assert.equal((await find('gasket of the turbine'))[0], 'Turbine');
      await deleteEntry(other.app, acme.operator, uuid);
      assert.ok(!(await find('gasket of the turbine')).includes('Turbine'));
    } finally {
      await other.close();
    }
  });
});
