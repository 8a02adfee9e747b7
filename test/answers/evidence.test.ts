import assert from 'node:assert/strict';
import { explainEntries } from '../../src/answers/explain-entries.js';
import { askInPublic } from '../support/ask-in-public.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

const english = {
  title: 'Applying patches',
  content: 'Each hunk names its offset. The patch offset says how far a hunk was moved.',
};

describe('An answer wants evidence', () => {
  let test: TestApp;
  let shop: TestOrganization;
  let other: TestOrganization;

  before(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
    shop = await addOrganization(test);
    other = await addOrganization(test, 'Other');
    await storeEntry(test, shop, {
      title: 'Öffnungszeiten',
      content: 'Wir öffnen um 9 Uhr.',
    });
    await storeEntry(test, shop, { title: 'Horario', content: 'Las taquillas abren a las nueve.' });
    for (const one of [shop, other]) await storeEntry(test, one, english);
  });
  after(() => test.close());

  it('which a word in another form is', async () => {
    for (const question of ['Wann öffnet ihr?', 'Wann wird geöffnet?', 'Wann öffnen Sie?']) {
      const { text } = await askInPublic(test, shop, question);
      assert.match(text, /Wir öffnen um 9 Uhr/, question);
    }
    const { text } = await askInPublic(test, shop, '¿Cuándo se pueden abrir las taquillas?');
    assert.match(text, /abren a las nueve/);
  });

  it('which a word of another language that looks alike is not', async () => {
    const { found } = await askInPublic(test, other, 'Wann öffnet ihr?');
    assert.equal(found, false);
  });

  it('and without which whoever looks is told so', async () => {
    const { operator } = other;
    const asked = { text: 'Wann öffnet ihr?', page: 1, limit: 5 };
    const { found } = await explainEntries(test.app, operator, asked);
    const entry = found[0]?.entry.uuid;
    assert.ok(entry !== undefined);
    const { answered, explained } = await explainEntries(test.app, operator, { ...asked, entry });
    assert.equal(answered, false);
    assert.deepEqual(
      explained?.explanation.reasons.map(({ code }) => code),
      ['no_evidence'],
    );
  });
});
