import assert from 'node:assert/strict';
import { answerQuestion } from '../../src/answers/answer-question.js';
import type { Answer } from '../../src/answers/answer.js';
import type { AskedPage, Turn } from '../../src/answers/question-context.js';
import { handbook } from '../support/sample-handbook.js';
import { manual } from '../support/sample-knowledge.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

/** What the answer must say, and must not; undefined where the knowledge holds none. */
type Exchange = [question: string, expected: RegExp | undefined, not?: RegExp];

const conversations: Record<string, Exchange[]> = {
  en: [
    ['How do I install the program on Linux?', /apt install heron/, /heron\.msi/],
    ['And on Windows?', /heron\.msi/, /apt install/],
    ['How long does that take?', /twelve minutes/, /five minutes/],
    ['Why are administrator rights needed?', /since a service is registered/],
    ['And what does the Studio licence cost?', /Studio \| 11 euros/, /Basic/],
  ],
  es: [
    ['¿Cómo instalo el programa en Linux?', /apt install garza/, /garza\.msi/],
    ['¿Y en Windows?', /garza\.msi/, /apt install/],
    ['¿Cuánto tarda eso?', /doce minutos/, /cinco minutos/],
    ['¿Por qué se necesitan derechos de administrador?', /ya que se registra un servicio/],
    ['¿Y cuánto cuesta la licencia Estudio?', /Estudio \| 11 euros/, /Básica/],
  ],
  de: [
    ['Wie installiere ich das Programm unter Linux?', /apt install reiher/, /reiher\.msi/],
    ['Und unter Windows?', /reiher\.msi/, /apt install/],
    ['Wie lange dauert das?', /zwölf Minuten/, /fünf Minuten/],
    ['Warum sind Administratorrechte nötig?', /da ein Dienst eingetragen wird/],
    ['Und was kostet die Lizenz Studio?', /Studio \| 11 Euro/, /Basis/],
  ],
};

describe('A conversation', () => {
  let test: TestApp;
  let acme: TestOrganization;

  before(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
    for (const entry of [...Object.values(handbook).flat(), ...manual]) {
      await storeEntry(test, acme, entry);
    }
  });
  after(() => test.close());

  const ask = (text: string, history: Turn[] = [], page?: AskedPage): Promise<Answer> =>
    answerQuestion(test.app, {
      text,
      scope: { organizationId: acme.operator.organizationId, appId: acme.appId, tiers: ['public'] },
      place: undefined,
      page,
      history,
    });
  const talk = async (exchanges: Exchange[]) => {
    const history: Turn[] = [];
    for (const [question, expected, not] of exchanges) {
      const { text, found } = await ask(question, history);
      assert.equal(found, expected !== undefined, `${question} ${text}`);
      if (expected !== undefined) assert.match(text, expected, question);
      if (not !== undefined) assert.doesNotMatch(text, not, question);
      history.push({ role: 'user', content: question }, { role: 'assistant', content: text });
    }
  };

  for (const [language, exchanges] of Object.entries(conversations)) {
    it(`of five turns gets the right answer in each turn: ${language}`, () => talk(exchanges));
  }

  it('continues from the last answered question, across an unanswered one', async () => {
    await talk([
      ['How do I install the program on Windows?', /heron\.msi/],
      ['Who painted the Mona Lisa?', undefined],
      ['And on Linux?', /apt install heron/],
      ['Why is a restart needed?', /because the driver/],
    ]);
  });

  it('refuses a bare follow-up to a question that found nothing', async () => {
    await talk([
      ['How often are updates offered?', /every Tuesday/],
      ['Who painted the Mona Lisa?', undefined],
      ['Why?', undefined],
    ]);
    await talk([
      ['¿Cuándo se ofrecen actualizaciones?', /cada martes/],
      ['¿Quién pintó la Mona Lisa?', undefined],
      ['¿Por qué?', undefined],
    ]);
  });

  it('uses the subject of an unanswered question for a pronoun such as “it”', async () => {
    await talk([
      ['Who pays for the backups?', undefined],
      ['And how long are they kept?', /14 days/],
    ]);
    await talk([
      ['¿Quién paga la contraseña?', undefined],
      ['¿Y cuántos caracteres debe tener esa?', /diez caracteres/],
    ]);
    await talk([
      ['Wer hat die Pumpe erfunden, gebaut und verkauft?', undefined],
      ['Und mit welchem Öl wird sie geölt?', /mitgelieferte Öl/],
    ]);
  });

  it('does not answer a new subject from the old one', async () => {
    await talk([
      ['Wie lange dauert die Installation unter Windows?', /zwölf Minuten/],
      ['Und wie oft muss die Pumpe geölt werden?', /alle sechs Monate/],
      ['Und die Hauptstadt von Frankreich?', undefined],
    ]);
  });

  it('refuses a follow-up about a duration, number or reason that the text does not state', async () => {
    await talk([
      ['How can I go back to the version before?', /Restore/],
      ['Why?', undefined],
    ]);
    await talk([
      ['¿Qué conserva una actualización?', /ajustes y documentos/],
      ['¿Cuánto tarda eso?', undefined],
    ]);
  });

  const selected: AskedPage = {
    url: 'https://acme.example/prices',
    title: 'Our shop',
    selectedText: 'Studio licence',
  };

  it('understands “this” as the text selected on the page', async () => {
    assert.equal((await ask('What does this cost?')).found, false);
    assert.match((await ask('What does this cost?', [], selected)).text, /11 euros/);
    const spanish = { ...selected, selectedText: 'Licencia Estudio' };
    assert.match((await ask('¿Cuánto cuesta esto?', [], spanish)).text, /11 euros/);
    const german = { ...selected, selectedText: 'Lizenz Studio' };
    assert.match((await ask('Was kostet das hier?', [], german)).text, /11 Euro/);
  });

  it('understands “this” as the title of the page if nothing is selected', async () => {
    const page = { url: 'https://acme.example/a', title: 'Installing on Windows' };
    assert.match((await ask('How do I do this?', [], page)).text, /heron\.msi/);
  });

  it('does not find irrelevant passages because of the page', async () => {
    const page = { ...selected, headings: ['Capital of France', 'Moon'] };
    assert.equal((await ask('What is the capital of France?', [], page)).found, false);
    assert.equal((await ask('Is this the capital of France?', [], page)).found, false);
  });

  it('finds an answer on another subject than the page’s', async () => {
    const answer = await ask('How often must I clean the filter?', [], selected);
    assert.match(answer.text, /every 30 days/);
  });

  it('prefers passages about the page’s headings among equal answers', async () => {
    const on = (heading: string) => ({
      url: 'https://acme.example/',
      title: 'Help',
      headings: [heading],
    });
    const question = 'How long does the installation take?';
    const windows = await ask(question, [], on('Installing on Windows'));
    assert.equal(windows.sources[0]?.title, 'Installing on Windows');
    const linux = await ask(question, [], on('Installing on Linux'));
    assert.equal(linux.sources[0]?.title, 'Installing on Linux');
  });
});
