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

describe('The evidence for an answer', () => {
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

  it('includes other forms of a word', async () => {
    for (const question of ['Wann öffnet ihr?', 'Wann wird geöffnet?', 'Wann öffnen Sie?']) {
      const { text } = await askInPublic(test, shop, question);
      assert.match(text, /Wir öffnen um 9 Uhr/, question);
    }
    const { text } = await askInPublic(test, shop, '¿Cuándo se pueden abrir las taquillas?');
    assert.match(text, /abren a las nueve/);
  });

  it('excludes similar words of another language', async () => {
    const { found } = await askInPublic(test, other, 'Wann öffnet ihr?');
    assert.equal(found, false);
  });

  it('must be about the question’s subject, not about the way of asking', async () => {
    const scopes = await addOrganization(test, 'Scopes');
    for (const [title, content] of [
      ['Where an entry is valid', 'An entry of the scope view is valid on the pages of that view.'],
      ['Dónde vale una entrada', 'Una entrada del ámbito vista vale en las páginas de esa vista.'],
      [
        'Wo ein Eintrag gilt',
        'Ein Eintrag mit dem Bereich Ansicht gilt auf den Seiten der Ansicht.',
      ],
      [
        'Anmelden',
        'Ein Zugangstoken ist 15 Minuten gültig. Jede Anfrage trägt das Token in der Kopfzeile.',
      ],
    ] as const)
      await storeEntry(test, scopes, { title, content });
    for (const question of [
      'How long is a parking permit valid?',
      '¿Cuánto tiempo vale un permiso de aparcamiento?',
      'Wie lange gilt ein Parkschein?',
    ])
      assert.equal((await askInPublic(test, scopes, question)).found, false, question);
    // The knowledge has the last part of the word alone: that, or nothing.
    const { text, found } = await askInPublic(test, scopes, 'Wie lange gilt ein Zugriffstoken?');
    assert.ok(found === false || text.includes('15 Minuten'), text);
    const known = await askInPublic(test, scopes, 'Wie lange gilt ein Zugangstoken?');
    assert.match(known.text, /15 Minuten/);
  });

  it('must contain a number or a time if the question asks for one', async () => {
    const fair = await addOrganization(test, 'Fair');
    for (const [title, content] of [
      ['Setting up', 'The setup of the tent begins at the mast. Six people carry it.'],
      ['Montaje', 'El montaje de la carpa empieza en el mástil. La llevan seis personas.'],
      ['Aufbau', 'Der Aufbau des Zeltes beginnt am Mast. Sechs Leute tragen es.'],
      ['Taking down', 'Taking down the booth takes an hour. The booth is cleaned every evening.'],
      ['Desmontaje', 'El desmontaje del puesto dura una hora. El puesto se limpia cada tarde.'],
      ['Abbau', 'Der Abbau der Bude dauert eine Stunde. Die Bude wird jeden Abend geputzt.'],
    ] as const)
      await storeEntry(test, fair, { title, content });
    for (const question of [
      'How long does the setup of the tent take?',
      'How often is the setup of the tent done?',
      '¿Cuánto tarda el montaje de la carpa?',
      'Wie lange dauert der Aufbau des Zeltes?',
    ])
      assert.equal((await askInPublic(test, fair, question)).found, false, question);
    for (const [question, expected] of [
      ['How long does it take to take down the booth?', /an hour/],
      ['How often is the booth cleaned?', /every evening/],
      ['¿Cuánto dura el desmontaje del puesto?', /una hora/],
      ['Wie lange dauert der Abbau der Bude?', /eine Stunde/],
      ['Wie viele Leute tragen das Zelt?', /Sechs Leute/],
    ] as const)
      assert.match((await askInPublic(test, fair, question)).text, expected, question);
  });

  it('is reported as missing in the explanation of a search', async () => {
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
