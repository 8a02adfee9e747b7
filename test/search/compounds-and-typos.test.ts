import assert from 'node:assert/strict';
import { deleteEntry } from '../../src/knowledge/delete-entry.js';
import { searchPassages } from '../../src/search/search-passages.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('A search by parts of words', () => {
  let test: TestApp;
  let acme: TestOrganization;

  before(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
    const texts: Record<string, string> = {
      Kühlraum: 'Die Lagertemperatur beträgt höchstens acht Grad, auch in der Nacht.',
      Türen: 'Das Schloss der vorderen Türen wird jeden Abend von außen geprüft.',
      Regeln: 'Die Regeln für den Urlaub des Personals stehen im Handbuch der Verwaltung.',
      Protest: 'Mahatma Gandhi called his campaign satyagraha and fasted for weeks.',
      Labor: 'Nikola Tesla built a laboratory, of which no university heard.',
      Yuan: 'Kublai Khan was followed on the throne by Gegeen.',
      Öffnungszeiten: 'Wir sind montags ab neun Uhr da und schließen um fünf.',
      Kiosk: 'Die Verkäufer öffnen den Kiosk am Abend.',
      Museo: 'Los guardias suelen abrir a las nueve.',
      Patches: 'Each hunk names the offset at which it was applied.',
    };
    for (const [title, content] of Object.entries(texts)) {
      await storeEntry(test, acme, { title, content });
    }
  });
  after(() => test.close());

  const best = async (text: string) => {
    const scope = { ...acme.operator, appId: acme.appId, tiers: ['public' as const] };
    const { passages } = await searchPassages(test.app, { text, scope, limit: 5 });
    return passages[0];
  };

  const questions: [string, string, string][] = [
    ['the end of a compound', 'Welche Temperatur ist erlaubt?', 'Kühlraum'],
    ['the beginning of a compound', 'Was gilt im Lager?', 'Kühlraum'],
    ['the parts of a compound that was asked for', 'Wer prüft das Türschloss?', 'Türen'],
    ['parts joined by a letter', 'Wo stehen die Urlaubsregeln?', 'Regeln'],
    ['what a misspelt word means', 'What was Gandi doing?', 'Protest'],
    ['two letters that changed places', 'satyargaha', 'Protest'],
    ['two letters in the middle of a short word', 'Nikola Telsa', 'Labor'],
    ['two that are neither of the first nor of the last three', 'Kulbai Khan', 'Yuan'],
    ['two in the middle of a name', 'Geegen', 'Yuan'],
    ['two at the beginning of a word with an ending', 'Uinversity', 'Labor'],
    ['another form of a verb', 'Wer öffnet den Laden?', 'Kiosk'],
    ['its noun in a compound', 'Wann wird geöffnet?', 'Kiosk'],
    ['another form of a Spanish verb', '¿A qué hora abren?', 'Museo'],
  ];
  for (const [what, question, title] of questions) {
    it(`finds ${what}: ${question}`, async () =>
      assert.equal((await best(question))?.title, title));
  }

  it('scores a part lower than the whole word', async () => {
    const whole = await best('Lagertemperatur');
    const part = await best('Temperatur');
    assert.ok(whole !== undefined && part !== undefined);
    assert.equal(whole.coverage, 1);
    assert.ok(part.coverage > 0.4 && part.coverage < 1, String(part.coverage));
  });

  it('ignores words that share only a few letters', async () => {
    assert.equal(await best('Zirkus'), undefined);
  });

  it('finds nothing of a deleted entry', async () => {
    const entry = await storeEntry(test, acme, { title: 'Gone', content: 'Zeppelinhangar' });
    assert.equal((await best('Hangar'))?.title, 'Gone');
    await deleteEntry(test.app, acme.operator, entry.uuid);
    assert.equal(await best('Hangar'), undefined);
    const { read } = test.app.db;
    const passages = (await read('passages').pluck('id')) as number[];
    const features = (await read('passage_features').pluck('passage_id')) as number[];
    assert.deepEqual(features.sort(), passages.sort());
  });
});
