import assert from 'node:assert/strict';
import type { Answer } from '../../src/answers/answer.js';
import { answerQuestion } from '../../src/answers/answer-question.js';
import type { Visibility } from '../../src/platform/actor.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { manual } from '../support/sample-knowledge.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('A quoted answer', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let ollama: OllamaStandIn;

  before(async () => {
    ollama = await startOllamaStandIn();
    test = await openTestApp({ ollama: { url: ollama.url }, answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
    const place = { document: 'domain:acme.example/manual.pdf', pageFrom: 3 };
    for (const entry of manual) await storeEntry(test, acme, { ...entry, ...place, pageTo: 4 });
    await storeEntry(test, acme, {
      title: 'Boiler',
      content:
        'The service menu of the boiler opens with the key F2.[^16]\n\nThe settings are kept until the boiler is emptied [^17].\n\n[^16]: Only technicians may use it.',
    });
    await storeEntry(test, acme, {
      title: 'Salaries',
      content: 'The salary of the zookeeper is 4711 crowns a month.',
      visibility: 'internal',
    });
  });
  after(async () => {
    await test.close();
    await ollama.stop();
  });

  const ask = (text: string, tiers: Visibility[] = ['public']): Promise<Answer> =>
    answerQuestion(test.app, {
      text,
      scope: { organizationId: acme.operator.organizationId, appId: acme.appId, tiers },
      place: undefined,
      page: undefined,
      history: [],
    });

  const questions: [string, string, string, string][] = [
    ['en', 'How often must I clean the filter?', 'every 30 days', 'Cleaning the filter'],
    ['en', 'When are backups made?', 'every night at 2:15', 'Backups'],
    ['es', '¿Cómo cambio mi contraseña?', 'abra el menú de la cuenta', 'Cambiar la contraseña'],
    ['de', 'Wie oft muss die Pumpe geölt werden?', 'alle sechs Monate', 'Wartung der Pumpe'],
  ];
  for (const [language, question, expected, title] of questions) {
    it(`consists of the best sentences, verbatim, with their source: ${question}`, async () => {
      const answer = await ask(question);
      assert.ok(answer.text.includes(expected), answer.text);
      assert.deepEqual([answer.found, answer.mode, answer.units], [true, 'extractive', 1]);
      assert.equal(answer.language, language);
      assert.equal(answer.sources[0]?.title, title);
      const all = manual.map(({ content }) => content).join('\n');
      for (const quote of answer.text.split(/ \[\d+\]/).filter((part) => part.trim() !== '')) {
        assert.ok(all.includes(quote.trim()), `not verbatim: ${quote}`);
      }
    });
  }

  it('raises the signs of footnotes that stand in the passage, and leaves out others', async () => {
    const answer = await ask('Which key opens the service menu of the boiler?');
    const quote = 'The service menu of the boiler opens with the key F2';
    assert.equal(answer.text, `${quote}.¹ [1]\n\n¹ Only technicians may use it.`);
    assert.ok(answer.sources[0]?.excerpt.includes(`${quote}.¹⁶ The settings`));
    const other = await ask('When are the settings of the boiler kept?');
    assert.match(other.text, /kept until the boiler is emptied\. \[1\]$/);
  });

  it('has exactly the cited sources, in the order of their citations', async () => {
    for (const question of ['When are backups of the filter made?', 'filter pump backups']) {
      const { text, sources } = await ask(question);
      const cited = [...new Set([...text.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1])))];
      assert.deepEqual(
        sources.map(({ number }) => number),
        cited,
      );
      assert.deepEqual(
        cited,
        Array.from({ length: cited.length }, (_, index) => index + 1),
      );
    }
  });

  it('separates the sentence after a list from the last list item', async () => {
    await storeEntry(test, acme, {
      title: 'Descaling the boiler',
      content:
        'Descaling the boiler takes three steps:\n\n1. Fill the boiler with vinegar.\n2. Heat the boiler for ten minutes.\n3. Rinse the boiler.\n\nDescaling the boiler is needed every month.',
    });
    const { text } = await ask('How do I descale the boiler?');
    assert.match(text, /3\. Rinse the boiler\./, text);
    assert.doesNotMatch(text, /Rinse the boiler\.[^\n]*\n(?!\n)(?=\S)/, text);
    assert.match(text, /\n\nDescaling the boiler is needed every month\./, text);
  });

  it('describes a source by entry, URL pattern, pages and excerpt', async () => {
    const { sources } = await ask('How often must I clean the filter?');
    const row = await test.app.db
      .read<{ uuid: string; title: string }>('knowledge_entries')
      .where({ title: 'Cleaning the filter' })
      .first('uuid');
    assert.deepEqual(sources, [
      {
        number: 1,
        entryUuid: row?.uuid,
        title: 'Cleaning the filter',
        urlPattern: '/filter',
        url: undefined,
        anchor: undefined,
        excerpt: manual[0]?.content,
        document: 'manual.pdf',
        pageFrom: 3,
        pageTo: 4,
        version: 1,
        visibility: 'public',
      },
    ]);
  });

  it('names the heading below which the words stand, and leads to them', async () => {
    await storeEntry(test, acme, {
      title: 'Setting up the quokka',
      content:
        'The quokka is set up in two minutes.\n\n### Reset\n\nHold the reset button of the quokka for ten seconds - then let go.',
      sourceUrl: 'https://docs.acme.example/quokka',
      sourceAnchor: 'setup',
    });
    const placeOf = async (question: string) => {
      const [source] = (await ask(question)).sources;
      return [source?.title, source?.url];
    };
    const [title, place] = ['Setting up the quokka', 'https://docs.acme.example/quokka#setup'];
    const first = 'The quokka is set up in two minutes.'.replaceAll(' ', '%20');
    assert.deepEqual(await placeOf('How long does it take to set up the quokka?'), [
      title,
      `${place}:~:text=${first}`,
    ]);
    const words = 'Hold the reset button of the quokka for ten seconds %2D then let go.'.replaceAll(
      ' ',
      '%20',
    );
    assert.deepEqual(await placeOf('How long must I hold the reset button of the quokka?'), [
      `${title} · Reset`,
      `${place}:~:text=${words}`,
    ]);
    await test.app.db
      .write('knowledge_entries')
      .where({ source_anchor: 'setup' })
      .update({ source_anchors: '{"hold":"Reset"}' });
    assert.deepEqual(
      await placeOf('How long must I hold the reset button of the quokka, please?'),
      [`${title} · Reset`, `https://docs.acme.example/quokka#hold:~:text=${words}`],
    );
  });

  it('leads to no words that stand above in the page', async () => {
    const page = {
      document: 'domain:acme.example/bilby.html',
      sourceUrl: 'https://docs.acme.example/bilby',
    };
    const content = 'Press the bilby for ten seconds.';
    for (const [chunkIndex, sourceAnchor] of ['ears', 'tail'].entries()) {
      const title = `The ${sourceAnchor} of the bilby`;
      await storeEntry(test, acme, { ...page, title, content, sourceAnchor, chunkIndex });
    }
    const urlOf = async (question: string) => (await ask(question)).sources[0]?.url;
    assert.equal(
      await urlOf('How long must I press the ears of the bilby?'),
      `${page.sourceUrl}#ears:~:text=${content.replaceAll(' ', '%20')}`,
    );
    assert.equal(
      await urlOf('How long must I press the tail of the bilby?'),
      `${page.sourceUrl}#tail`,
    );
  });

  it('never repeats the question as its answer, and finds none in a list of questions', async () => {
    const questions = [
      'How do I calibrate the wallaby?',
      'Who repairs the wallaby?',
      'Where is the wallaby made?',
    ];
    const title = 'Questions about the wallaby';
    const list = questions.map((question) => `- ${question}`).join('\n');
    await storeEntry(test, acme, { title, content: list });
    for (const question of questions) {
      const { found, text } = await ask(question);
      assert.equal(found, false, text);
    }
    await storeEntry(test, acme, {
      title: 'The wallaby',
      content: `${list}\n\nHow do I calibrate the wallaby?\n\nTurn its left ear until it clicks.\n\nWho repairs the wallaby? The workshop in Bern does.`,
    });
    const [first = '', second = ''] = questions;
    assert.equal((await ask(first)).text, 'Turn its left ear until it clicks. [1]');
    assert.match((await ask(second)).text, /^[^?]*The workshop in Bern does\. \[1\]$/);
  });

  it('names the paragraph of a document without headings', async () => {
    const content = 'The numbat eats termites alone.';
    await storeEntry(test, acme, { title: 'Numbat', content, sourceAnchor: 'paragraph-12' });
    assert.equal((await ask('What does the numbat eat?')).sources[0]?.title, 'Numbat · ¶ 12');
  });

  it('leads to the page of a PDF that was read from a site', async () => {
    const pdf = { sourceUrl: 'https://docs.acme.example/wombat.pdf', pageFrom: 7, pageTo: 8 };
    const content = 'The wombat is fed every nine hours.';
    await storeEntry(test, acme, { title: 'Feeding the wombat', content, ...pdf });
    const { sources } = await ask('How often is the wombat fed?');
    assert.equal(sources[0]?.url, 'https://docs.acme.example/wombat.pdf#page=7');
  });

  const nothing: [string, string, RegExp][] = [
    ['en', 'What is the distance between the moon and the earth?', /found no answer/],
    ['es', '¿Cuál es la distancia entre la luna y la tierra?', /No he encontrado/],
    ['de', 'Wie groß ist der Abstand zwischen Mond und Erde?', /keine Antwort gefunden/],
  ];
  for (const [language, question, expected] of nothing) {
    it(`says in the question’s language that nothing was found: ${question}`, async () => {
      const answer = await ask(question);
      assert.match(answer.text, expected);
      assert.equal(answer.language, language);
      assert.deepEqual([answer.found, answer.sources], [false, []]);
    });
  }

  it('uses the same sentence for knowledge that the asker may not see', async () => {
    const question = 'What is the salary of the zookeeper?';
    const hidden = await ask(question);
    assert.deepEqual([hidden.found, hidden.sources], [false, []]);
    assert.equal(hidden.text, (await ask('What is the colour of the moon?')).text);
    assert.match((await ask(question, ['public', 'internal'])).text, /4711/);
  });

  it('calls no model', () => {
    assert.deepEqual(ollama.requests, []);
  });
});
