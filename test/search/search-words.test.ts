import assert from 'node:assert/strict';
import { searchPassages } from '../../src/search/search-passages.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('A search', () => {
  let test: TestApp;
  let acme: TestOrganization;

  before(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
    const texts: Record<string, string> = {
      installing: 'The installation of the pumps is done by the technicians in the workshop.',
      backups: 'Every night the server makes backups of all of the databases.',
      instalar: 'La instalación de las bombas la realizan los técnicos en el taller.',
      garantía: 'Las garantías de los equipos duran dos años desde la compra.',
      lager: 'Die Lagertemperaturen werden während des Betriebes von den Sensoren gemessen.',
      schlüssel: 'Der Schlüssel für die Türen liegt beim Pförtner, wenn die Tür verschlossen ist.',
      option: 'Run it with --dry-run first; version 2.4.1 of foo.bar reads C++ sources.',
      quotes: 'The operators AND, OR and NOT are explained in the manual near the end.',
    };
    for (const [title, content] of Object.entries(texts)) {
      await storeEntry(test, acme, {
        title: `§ ${title.slice(0, 1)}`,
        content,
        urlPattern: `/${title}`,
      });
    }
  });
  after(() => test.close());

  const find = async (text: string) => {
    const scope = {
      organizationId: acme.operator.organizationId,
      appId: acme.appId,
      tiers: ['public' as const],
    };
    const { passages } = await searchPassages(test.app, { text, scope, limit: 50 });
    return passages.map(({ urlPattern, coverage }) => ({ name: urlPattern?.slice(1), coverage }));
  };
  const best = async (text: string) => (await find(text))[0]?.name;

  const questions: [string, string, string][] = [
    ['English word forms', 'who installs a pump?', 'installing'],
    ['English plurals', 'database backup', 'backups'],
    ['Spanish word forms', '¿Qué técnico instala la bomba?', 'instalar'],
    ['Spanish without its accents', 'garantia del equipo', 'garantía'],
    ['German word forms', 'Welcher Sensor misst die Lagertemperatur?', 'lager'],
    ['German without its umlauts', 'Schlussel fur die Tur', 'schlüssel'],
    ['German umlauts written as two letters', 'Schluessel der Tuer', 'schlüssel'],
    ['capitals', 'DATABASE BACKUPS', 'backups'],
    ['letters that are composed of two', 'garanti\u0301as'.normalize('NFD'), 'garantía'],
    ['options of commands', '--dry-run', 'option'],
    ['versions', '2.4.1', 'option'],
    ['names with signs', 'C++', 'option'],
  ];
  for (const [what, question, expected] of questions) {
    it(`understands ${what}: ${question}`, async () => {
      assert.equal(await best(question), expected);
    });
  }

  it('treats the operators of full-text search as words, in any arrangement', async () => {
    const alike = (await find('backups')).map(({ name }) => name);
    for (const text of [
      'backups"',
      '"backups',
      'backups*',
      'backups AND',
      'NOT backups',
      'backups) OR (',
      'NEAR(backups, 2)',
      'title: backups',
      '{title body}: backups',
      '^backups',
      '-backups',
      'backups; drop table passages; --',
      "backups' OR '1'='1",
      'backups\u0000',
      'backups \ud800',
      '(((((backups',
    ]) {
      const names = (await find(text)).map(({ name }) => name);
      assert.ok(names.includes('backups'), text);
      assert.equal(alike.length, 1);
    }
    assert.deepEqual(await find('xyzzy OR NOT "'), (await find('OR NOT xyzzy')).slice());
  });

  it('finds nothing for signs alone or unknown words', async () => {
    for (const text of ['', '   ', '?!', '"', '*', '()', '🦄', 'xyzzy plugh', '\u0000']) {
      assert.deepEqual(await find(text), [], JSON.stringify(text));
    }
  });

  it('accepts a question of many words', async () => {
    const long = `${'lorem ipsum dolor '.repeat(400)} backups of the databases`;
    assert.ok((await find(long)).some(({ name }) => name === 'backups'));
    const vocabulary = Array.from({ length: 1500 }, (_, index) => `word${index}`).join(' ');
    assert.deepEqual(
      (await find(`${vocabulary} backups`)).map(({ name }) => name),
      ['backups'],
    );
    assert.ok((await find(`backups ${vocabulary}`)).some(({ name }) => name === 'backups'));
  });

  it('uses at most 64 words of a message, from its beginning and its end', async () => {
    const words = Array.from({ length: 300 }, (_, index) => `word${index}`);
    const scope = { ...acme.operator, appId: undefined, tiers: ['public' as const] };
    const found = await searchPassages(test.app, { text: words.join(' '), scope, limit: 5 });
    assert.deepEqual(
      found.terms.map(({ text }) => text),
      [...words.slice(0, 32), ...words.slice(-32)],
    );
  });

  it('measures how much of a question a passage covers, without function words', async () => {
    const [whole] = await find('What backups of the databases does the server make every night?');
    assert.ok((whole?.coverage ?? 0) > 0.95, String(whole?.coverage));
    const [half] = await find('backups of unicorns');
    assert.ok((half?.coverage ?? 0) > 0.2 && (half?.coverage ?? 1) < 0.6, String(half?.coverage));
    const [words] = await find('what is the unicorn of the zeppelin?');
    assert.ok((words?.coverage ?? 0) < 0.1, String(words?.coverage));
  });
});
