import assert from 'node:assert/strict';
import { chooseLanguage } from '../../src/answers/choose-language.js';
import type { Turn } from '../../src/answers/question-context.js';
import { askInPublic } from '../support/ask-in-public.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

const said = (content: string): Turn => ({ role: 'user', content });
const nowhere = { history: [], page: undefined };
const german = [{ language: 'de' as const }];
const english = [{ language: 'en' as const }];

describe('The language of a message', () => {
  it('is the language of its words if they show one, whatever surrounds them', () => {
    const around = { history: [said('¿Qué roles hay?')], page: { url: '', title: 'Los roles' } };
    assert.equal(chooseLanguage('How long is a token valid?', around, german), 'en');
    assert.equal(chooseLanguage('¿Y too_many_pages?', nowhere, english), 'es');
  });

  it('is the best passage’s if nothing else shows it', () => {
    for (const words of ['exit codes', 'access token', 'error codes', 'backup restore', 'SQLite']) {
      assert.equal(chooseLanguage(words, nowhere, english), 'en', words);
    }
    assert.equal(chooseLanguage('Backup', nowhere, german), 'de');
  });

  it('is the conversation’s last language before the page’s, and the page’s before the passage’s', () => {
    const page = { url: 'https://a.example/', title: 'Los roles de los usuarios' };
    const history = [said('What roles are there?'), said('Welche Rollen gibt es?'), said('token')];
    assert.equal(chooseLanguage('login', { history, page }, english), 'de');
    assert.equal(chooseLanguage('login', { history: [said('token')], page }, english), 'es');
  });

  it('is the panel’s if the words, the page and the conversation show none', () => {
    const page = { url: 'https://a.example/', title: 'SQLite', language: 'de' as const };
    for (const words of ['Hilfe', 'Preise?', 'SQLite', 'Zebra quokka?', 'zebra quota?'])
      assert.equal(chooseLanguage(words, { history: [], page }), 'de', words);
    const spanish = { ...page, title: 'Los roles' };
    assert.equal(chooseLanguage('SQLite', { history: [], page: spanish }), 'es');
    const history = [said('What roles are there?')];
    assert.equal(chooseLanguage('SQLite', { history, page: spanish }), 'en');
    assert.equal(chooseLanguage('How long is a token valid?', { history: [], page }), 'en');
  });

  it('is English if nothing shows it', () => {
    const page = { url: 'https://a.example/', title: 'Home - Acme' };
    assert.equal(chooseLanguage('zebra quota?', { history: [], page }), 'en');
    assert.equal(chooseLanguage('zebra quota?'), 'en');
  });

  it('is not decided by the endings of two or three words alone', () => {
    const page = { url: 'https://a.example/', title: 'What the zoo offers' };
    for (const words of [
      'zebra quota?',
      'zebra quota limit?',
      'banana import tariff?',
      'bill payment',
    ])
      assert.equal(chooseLanguage(words, { history: [], page }), 'en', words);
  });

  it('follows weak evidence in a few words if the best passage has the same language', () => {
    const history = [said('Welche Rollen gibt es?')];
    assert.equal(chooseLanguage('visibility levels', { history, page: undefined }, english), 'en');
    assert.equal(chooseLanguage('visibility levels', { history, page: undefined }, german), 'de');
  });
});

describe('A question of a few words', () => {
  let test: TestApp;
  let acme: TestOrganization;

  before(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
    await storeEntry(test, acme, {
      title: 'Exit codes',
      content: 'The exit codes tell a script how a command has ended. Code 3 means not found.',
    });
    await storeEntry(test, acme, {
      title: 'Rückgabewerte',
      content: 'Die Exit-Codes sagen einem Skript, wie ein Befehl geendet hat.',
    });
  });
  after(() => test.close());

  const ask = (text: string, history: Turn[] = []) => askInPublic(test, acme, text, history);

  it('is answered in the language of the passage that contains them', async () => {
    const answer = await ask('exit codes');
    assert.equal(answer.language, 'en');
    assert.match(answer.text, /exit codes tell a script/);
  });

  it('is refused in the language of the conversation', async () => {
    const { found, language, text } = await ask('passport renewal', [
      said('Wie endet ein Befehl?'),
      { role: 'assistant', content: 'Mit einem Code.' },
    ]);
    assert.deepEqual([found, language], [false, 'de']);
    assert.match(text, /keine Antwort gefunden/);
  });
});
