import assert from 'node:assert/strict';
import { answerQuestion } from '../../src/answers/answer-question.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { manual } from '../support/sample-knowledge.js';

describe('A follow-up question', () => {
  let test: TestApp;
  let acme: TestOrganization;

  before(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
    for (const entry of manual) await storeEntry(test, acme, entry);
  });
  after(() => test.close());

  const ask = (text: string, earlier?: string) =>
    answerQuestion(test.app, {
      text,
      scope: {
        organizationId: acme.operator.organizationId,
        appId: acme.appId,
        tiers: ['public'],
      },
      place: undefined,
      page: undefined,
      history:
        earlier === undefined
          ? []
          : [
              { role: 'user', content: earlier },
              { role: 'assistant', content: 'Some answer.' },
            ],
    });

  it('takes its missing subject from the question before', async () => {
    for (const [followUp, earlier, expected] of [
      ['And when?', 'How are backups made?', /every night at 2:15/],
      ['¿Y cómo?', '¿Se puede cambiar la contraseña?', /abra el menú/],
      ['Und wann?', 'Muss die Pumpe geölt werden?', /alle sechs Monate/],
    ] as const) {
      assert.equal((await ask(followUp)).found, false, followUp);
      assert.match((await ask(followUp, earlier)).text, expected);
    }
    const german = await ask('Und mit welchem Öl?', 'Wie oft muss die Pumpe gewartet werden?');
    assert.match(german.text, /mitgelieferte Öl/);
    const spanish = await ask('¿Y cuántos caracteres?', '¿Cómo cambio la contraseña?');
    assert.match(spanish.text, /diez caracteres/);
  });

  it('is not answered with the previous subject if it names another', async () => {
    const answer = await ask('And the capital of France?', 'How do I clean the filter?');
    assert.equal(answer.found, false);
  });

  it('is not answered from chance words if the name in it is unknown', async () => {
    for (const question of [
      'Is the filter of the Zeppelin made of dust?',
      '¿La contraseña de Quijote tiene menú?',
      'Gibt es Öl für die XKCD?',
    ]) {
      assert.equal((await ask(question)).found, false, question);
    }
  });

  it('is recognised in a message with other sentences', async () => {
    const answer = await ask(
      'Good morning, I am new in the kitchen team and my colleague went home early. How often must I clean the filter? Thank you and have a nice weekend!',
    );
    assert.match(answer.text, /every 30 days/);
  });
});
