import assert from 'node:assert/strict';
import type { Turn } from '../../src/answers/question-context.js';
import { askInPublic } from '../support/ask-in-public.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

/** One manual in three languages, in one organization. */
const manual: [string, string][] = [
  [
    'Boarding › What may be brought',
    'A trunk may be up to 90 litres in size. Animals travel on deck. Wheels are fixed with a strap.',
  ],
  [
    'Embarque › Qué se puede llevar',
    'Un trunk puede tener como máximo 90 litros. Los animales viajan en cubierta.',
  ],
  [
    'An Bord › Was mitgenommen werden darf',
    'Ein Trunk darf höchstens 90 Liter fassen. Jeder Gast muss wenigstens 6 Jahre alt sein.',
  ],
  ['Boarding › Guests', 'A guest must be at least 6 years old. The guest list is kept for a year.'],
  ['Embarque › La tripulación', 'La grúa solo la maneja quien tiene el carné de gruista.'],
];

describe('A question in one of the languages of the knowledge', () => {
  let test: TestApp;
  let acme: TestOrganization;

  before(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
    for (const [title, content] of manual) await storeEntry(test, acme, { title, content });
  });
  after(() => test.close());

  const ask = (text: string, history: Turn[] = []) => askInPublic(test, acme, text, history);

  it('is answered in its language, even if the exact word appears only in another', async () => {
    for (const question of ['What is the maximum size of a trunk?', 'How big may the trunk be?']) {
      const { text, sources } = await ask(question);
      assert.match(text, /^A trunk may be up to 90 litres in size\./, question);
      assert.deepEqual(
        sources.map(({ title }) => title),
        ['Boarding › What may be brought'],
      );
    }
  });

  it('about a limit gets the sentence that sets one, in each language', async () => {
    const asked: [string, RegExp][] = [
      ['What is the minimum age of a guest?', /^A guest must be at least 6 years old/],
      ['¿Cuál es el límite de un trunk?', /^Un trunk puede tener como máximo 90 litros/],
      ['Was ist die Höchstgröße für einen Trunk?', /^Ein Trunk darf höchstens 90 Liter/],
      ['Was ist das Mindestalter für einen Gast?', /^Jeder Gast muss wenigstens 6 Jahre/],
    ];
    for (const [question, answer] of asked) assert.match((await ask(question)).text, answer);
  });

  it('is answered from another language if its own has no answer', async () => {
    const { text, language } = await ask('Who may work as a gruista?');
    assert.match(text, /carné de gruista/);
    assert.equal(language, 'en');
  });
});
