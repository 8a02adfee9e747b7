import assert from 'node:assert/strict';
import { answerQuestion } from '../../src/answers/answer-question.js';
import { handbook } from '../support/sample-handbook.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

const further = [
  {
    title: 'The heron pump',
    content:
      'The heron pump can be bought in two sizes. Many use the heron pump in gardens. The heron pump is a device that moves water upwards without electricity. It was built in Ghent in 1884. The heron pump weighs 31 kilograms.',
  },
  {
    title: 'Mistakes with the winch',
    content:
      'A torn rope stops the winch. So does a mistake in its settings. Mistakes are shown on the winch. Which mistakes stop it stands on the lid of the winch.',
  },
  { title: 'Ballcock, ballcock, ballcock', content: 'The ballcock hangs in the ballcock box.' },
  {
    title: 'La cigüeña',
    content:
      'Hay que parar la cigüeña antes de engrasarla. Así, la cigüeña gasta menos aceite mineral. Se guarda en el taller.',
  },
  { title: 'Words', content: 'A ballcock is a valve that a float closes.' },
  {
    title: 'Draining the boiler',
    content:
      'Draining the boiler takes place in spring.\n\nTo drain the boiler:\n\n1. Close the red valve.\n2. Hang the hose into the gully.\n3. Open the tap at the bottom.\n\nThe boiler must be cold.',
  },
  {
    title: 'Guarantee',
    content:
      'The guarantee does not cover:\n\n- scratches of the enamel\n- damage by frost\n- candles that were burnt',
  },
];

describe('The quoted sentences', () => {
  let test: TestApp;
  let acme: TestOrganization;

  before(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
    for (const entry of [...Object.values(handbook).flat(), ...further]) {
      await storeEntry(test, acme, entry);
    }
  });
  after(() => test.close());

  const ask = async (text: string): Promise<string> => {
    const answer = await answerQuestion(test.app, {
      text,
      scope: { organizationId: acme.operator.organizationId, appId: acme.appId, tiers: ['public'] },
      place: undefined,
      page: undefined,
      history: [],
    });
    return answer.text;
  };

  it('contain the command for a question about how to do something', async () => {
    for (const [question, command] of [
      ['How can I install the program on Linux?', 'apt install heron'],
      ['¿Cómo se instala el programa en Linux?', 'apt install garza'],
      ['Wie kann ich das Programm unter Linux installieren?', 'apt install reiher'],
    ] as const) {
      const text = await ask(question);
      assert.ok(text.includes(`\`\`\`\n${command}\n\`\`\``), text);
    }
  });

  it('contain all steps of a list and the sentence before it', async () => {
    const text = await ask('How do I drain the boiler?');
    assert.match(text, /To drain the boiler:\n1\. Close .*\n2\. Hang .*\n3\. Open the tap/);
  });

  it('contain only the requested item of other lists, with the sentence before it', async () => {
    const text = await ask('Is damage by frost covered by the guarantee?');
    assert.match(text, /The guarantee does not cover:\n- damage by frost/);
    assert.doesNotMatch(text, /candles/);
  });

  it('contain the table row with the header', async () => {
    for (const [question, head, row] of [
      ['What does the Studio licence cost?', '| Licence | Price', '| Studio | 11 euros'],
      ['¿Cuánto cuesta la licencia Estudio?', '| Licencia | Precio', '| Estudio | 11 euros'],
      ['Wie viel kostet die Lizenz Studio?', '| Lizenz | Preis', '| Studio | 11 Euro'],
    ] as const) {
      const text = await ask(question);
      assert.ok(text.includes(head) && text.includes(row), text);
    }
  });

  it('define a thing for a question about what it is', async () => {
    const text = await ask('What is the heron pump?');
    assert.match(text, /^The heron pump is a device that moves water/);
  });

  it('include the sentence that a pronoun refers to', async () => {
    const text = await ask('When was the heron pump built in Ghent?');
    assert.match(text, /The heron pump is a device .*It was built in Ghent in 1884\./);
  });

  it('include the sentence that a Spanish “así” refers to', async () => {
    const text = await ask('¿Cuándo gasta la cigüeña menos aceite mineral?');
    assert.match(text, /^Hay que parar la cigüeña .*Así, la cigüeña gasta menos/);
  });

  it('contain the number, time or reason that the question asks for', async () => {
    for (const [question, expected] of [
      ['How heavy is the heron pump?', /31 kilograms/],
      ['How long does the installation on Windows take?', /about twelve minutes/],
      ['¿Cuántos dispositivos incluye una licencia?', /dos dispositivos/],
      ['Warum ist unter Linux ein Neustart nötig?', /weil der Treiber/],
    ] as const) {
      assert.match(await ask(question), expected);
    }
  });

  it('are one sentence if one answers the question', async () => {
    assert.equal(
      await ask('How often are updates offered?'),
      'Updates are offered every Tuesday. [1]',
    );
  });

  it('are none for a short question about a word that no text contains', async () => {
    for (const question of ['is there a zeppelin guarantee', 'is there a samovar pump']) {
      assert.match(await ask(question), /^I found no answer/, question);
    }
  });

  it('are found for a misspelt word', async () => {
    assert.match(await ask('how heavy is the herron pump'), /31 kilograms/);
  });

  it('begin with the best answer, whichever passage contains it', async () => {
    assert.match(await ask('What is a ballcock?'), /^A ballcock is a valve/);
  });

  it('never begin with a sentence that refers to a missing one', async () => {
    const text = await ask('Which mistakes stop the winch?');
    assert.ok(!/(?:^|\] )So does/.test(text), text);
  });

  it('are found for single words and for other forms of a word', async () => {
    for (const [question, expected] of [
      ['boiler', /boiler/],
      ['Kündigung der Lizenz', /Eine Lizenz kann zum Ende jedes Monats gekündigt werden/],
      ['cancelación de una licencia', /Una licencia se puede cancelar/],
    ] as const) {
      assert.match(await ask(question), expected);
    }
  });

  it('are none, without an error, for messages that ask nothing', async () => {
    const messages = [
      '\0',
      '\ud800',
      '???',
      '9'.repeat(5000),
      '```'.repeat(2000),
      '| '.repeat(2000),
    ];
    for (const message of [...messages, '¿Y '.repeat(1000), 'A'.repeat(5000)]) {
      assert.match(await ask(message), /found no answer|No he encontrado|What would you like/);
    }
  });
});
