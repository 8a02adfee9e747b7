import assert from 'node:assert/strict';
import { askInPublic } from '../support/ask-in-public.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

type Ask = (question: string) => ReturnType<typeof askInPublic>;

/** What asks an organization that has just these public entries, while the tests of a `describe` run. */
function knowing(entries: readonly (readonly [title: string, content: string])[]): Ask {
  let test: TestApp;
  let organization: TestOrganization;
  before(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
    organization = await addOrganization(test);
    for (const [title, content] of entries)
      await storeEntry(test, organization, { title, content });
  });
  after(() => test.close());
  return (question) => askInPublic(test, organization, question);
}

describe('A number in a question', () => {
  const ask = knowing([
    ['Part 10020030', 'The part 10020030 is a seal of rubber. It costs 3 euros.'],
    ['Order', 'Order 100200 was sent on Monday.'],
    ['Pump X-200', 'The pump X-200 weighs 12 kg. It costs 310 euros.'],
    [
      'Versions',
      'Version 2.1.3 was released in March 2024. Version 2.1.4 was released in June 2024.',
    ],
    ['Hoses', 'Hose 4 is checked every year. Hose 5 is checked every month.'],
    ['Netz', 'Die Spannung beträgt 3,5 kV. Der Strom beträgt 5,3 A.'],
    ['Invitations', 'You can invite at most 50 users to a room.'],
  ]);

  for (const question of [
    'What is part 10020031?',
    'What happened to order 100201?',
    'What does part 100200 cost?',
    'When was version 3.0.0 released?',
    'When was version 2.1 released?',
    'What does the pump X-400 cost?',
    'How often is the hose 4,5 mm checked?',
    'How often is hose 6 checked?',
    'Was beträgt 5,3 kV?',
  ])
    it(`must be in the passage, or the question gets no answer: ${question}`, async () => {
      const { found, text } = await ask(question);
      assert.equal(found, false, text);
    });

  for (const [question, expected] of [
    ['What is part 10020030?', /seal of rubber/],
    ['What happened to order 100200?', /sent on Monday/],
    ['When was v2.1.4 released?', /June 2024/],
    ['What does the pump X200 weigh?', /12 kg/],
    ['How often is hose 4 checked?', /every year/],
    ['Was beträgt 5.3 A?', /5,3 A/],
    ['Can I invite 200 users to a room?', /at most 50 users/],
  ] as const)
    it(`matches the same number in another notation, and an upper bound matches a count: ${question}`, async () => {
      assert.match((await ask(question)).text, expected);
    });
});

describe('A function word that no text contains', () => {
  const ask = knowing(
    Array.from({ length: 60 }, (_, index) => [
      `Alarm ${index + 1}`,
      `Reset the alarm ${index + 1}. To reset the alarm press the button.`,
    ]),
  );

  it('does not prevent an answer if the texts contain the other words', async () => {
    assert.match((await ask('How do I reset the alarm?')).text, /press the button/);
  });
});

describe('A function word of another language', () => {
  const ask = knowing([['Van', 'The van stands in the yard.']]);

  it('counts as a noun in the question’s language', async () => {
    assert.match((await ask('Where is the van?')).text, /stands in the yard/);
  });
});

describe('A question for a duration', () => {
  const ask = knowing([
    ['Warranty', 'The warranty lasts 24 months.'],
    ['Refunds', 'A refund is paid within ten days after the goods came back.'],
    ['Garantie', 'Die Garantie gilt 24 Monate ab Kauf.'],
    ['Lieferung', 'Die Lieferung dauert drei Werktage und kostet 5 Euro.'],
    ['Envíos', 'El envío llega en dos días.'],
  ]);

  for (const [question, expected] of [
    ['How long is the warranty?', /24 months/],
    ['How long does a refund take?', /ten days/],
    ['Wie lang ist die Garantie?', /24 Monate/],
    ['Wie lange dauert eine Lieferung?', /drei Werktage/],
    ['¿Cuánto tarda el envío?', /dos días/],
  ] as const)
    it(`is answered with a time: ${question}`, async () => {
      assert.match((await ask(question)).text, expected);
    });
});

describe('A step of a list', () => {
  const ask = knowing([
    [
      'Changing the seal',
      'Before work:\n\n1. Close the valve.\n2. Drain the tank.\n3. Grease the gasket with silicone.\n\nThe work takes an hour.',
    ],
  ]);

  it('has no number if it is quoted alone, and keeps it among several', async () => {
    const { text } = await ask('What is the gasket greased with?');
    assert.equal(text, 'Before work: Grease the gasket with silicone. [1]');
    assert.match((await ask('How do I change the seal?')).text, /1\. Close[^]*3\. Grease/);
  });
});

describe('Several questions in one message', () => {
  const ask = knowing([
    ['Warranty', 'The warranty lasts 24 months.'],
    ['Payment', 'You can pay by card or by bank transfer.'],
    ['Garantie', 'Die Garantie gilt 24 Monate ab Kauf.'],
    ['Installation', 'To install the pump, screw it to the wall and open the valve.'],
    ['Garantía', 'La garantía dura 24 meses desde la compra.'],
  ]);

  it('are each answered', async () => {
    const { text, found } = await ask('How long is the warranty? How can I pay?');
    assert.equal(found, true);
    assert.match(text, /24 months/);
    assert.match(text, /bank transfer/);
    assert.doesNotMatch(text, /found nothing/);
    const { text: joined } = await ask('How long is the warranty? And how can I pay?');
    assert.match(joined, /24 months[^]*bank transfer/);
  });

  for (const [message, answer, missing] of [
    [
      'How long is the warranty? Which colour has the lid of the tank?',
      /24 months/,
      /\n\nI found nothing on “Which colour has the lid of the tank”\.$/,
    ],
    [
      'Wie lange gilt die Garantie und wer hat den Tank erfunden?',
      /24 Monate/,
      /\n\nZu „wer hat den Tank erfunden“ habe ich nichts gefunden\.$/,
    ],
    [
      'How do I install it, and who is the king of Spain?',
      /screw it to the wall/,
      /I found nothing on “who is the king of Spain”\.$/,
    ],
    [
      '¿Cuánto dura la garantía y quién es el rey de España?',
      /24 meses/,
      /No he encontrado nada sobre «quién es el rey de España»\.$/,
    ],
    [
      '¿Cuánto dura la garantía? ¿Quién es el rey de España?',
      /24 meses/,
      /No he encontrado nada sobre «Quién es el rey de España»\.$/,
    ],
  ] as const)
    it(`name the one without an answer: ${message}`, async () => {
      const { text, unsupported } = await ask(message);
      assert.match(text, answer);
      assert.match(text, missing);
      assert.deepEqual(unsupported, []);
    });

  it('get the standard sentence if none has an answer', async () => {
    const { text, found } = await ask('Who built the tower? Which colour has the lid?');
    assert.equal(found, false);
    assert.doesNotMatch(text, /“/);
  });
});

describe('A separated German verb', () => {
  const ask = knowing([
    ['Dateien hochladen', 'Dateien hochladen kann jeder im Büro. Dafür dient der blaue Knopf.'],
    [
      'Die Uhr',
      'Das Zurückstellen der Uhr übernimmt der Hausmeister. Sie wird im Herbst zurückgestellt.',
    ],
    ['Laden', 'Der Laden neben dem Büro ist montags zu. Dateien gibt es dort nicht.'],
  ]);

  for (const [question, expected] of [
    ['Wie lade ich eine Datei hoch?', /^Dateien hochladen/],
    ['Wie stellt man die Uhr zurück?', /zurückgestellt/],
  ] as const)
    it(`matches the same verb written as one word: ${question}`, async () => {
      assert.match((await ask(question)).text, expected);
    });
});

describe('A short English verb', () => {
  const ask = knowing([
    ['Adding a shelf', 'Screw the shelf to the wall. Two people hold it meanwhile.'],
    ['Shelf', 'The shelf is made of oak, and the wall of brick.'],
  ]);

  it('is found in its other forms', async () => {
    assert.match((await ask('How do I add a shelf?')).text, /^Screw the shelf/);
  });
});

describe('“When” inside another question', () => {
  const ask = knowing([
    [
      'Stock',
      'When no paper is left, the printer blinks and keeps the pages. Paper comes on Monday at 10:00.',
    ],
    [
      'Existencias',
      'Cuando falta papel, la impresora parpadea y guarda las páginas. El papel llega el lunes a las 10:00.',
    ],
  ]);

  for (const [question, expected] of [
    ['What happens when no paper is left?', /^When no paper.*blinks/],
    ['¿Qué pasa cuando falta papel?', /^Cuando falta papel.*parpadea/],
    ['When does paper come?', /Monday at 10:00/],
    ['¿Cuándo llega el papel?', /lunes a las 10:00/],
  ] as const)
    it(`does not ask for a time: ${question}`, async () => {
      assert.match((await ask(question)).text, expected);
    });
});

describe('What a thing does', () => {
  const ask = knowing([
    [
      'About Ferrum',
      'Ferrum is a program for forges. Ferrum reads orders and cuts steel. It is blue.',
    ],
    ['Use', 'Ask it on a terminal.\n\n```\nferrum ask "It means a fire?"\n```'],
    [
      'Sobre Ferrum',
      'Ferrum es un programa para herrerías. Ferrum lee pedidos y corta acero. Es azul.',
    ],
    [
      'Über Ferrum',
      'Ferrum ist ein Programm für Schmieden. Ferrum liest Aufträge und schneidet Stahl. Es ist blau.',
    ],
  ]);

  for (const [question, expected] of [
    ['What does Ferrum do?', /^Ferrum is a program.*cuts steel/],
    ['What is Ferrum?', /^Ferrum is a program.*cuts steel/],
    ['¿Qué hace Ferrum?', /^Ferrum es un programa.*corta acero/],
    ['Was macht Ferrum?', /^Ferrum ist ein Programm.*schneidet Stahl/],
  ] as const)
    it(`is answered with its definition and the next sentence: ${question}`, async () => {
      const { text } = await ask(question);
      assert.match(text, expected);
      assert.doesNotMatch(text, /```/);
    });
});

describe('A table row', () => {
  const ask = knowing([
    [
      'Commands',
      '| Command | What it does |\n| --- | --- |\n| `tin boxes` | list, add, paint |\n| `tin melt` | Melt lead |\n| `tin lids` | list, add, bend |',
    ],
    ['Lead', 'Lead is kept in the cellar. To add lead, open the hatch and drop a bar into it.'],
  ]);

  it('is not relevant because of words in the rows beside it', async () => {
    const { text } = await ask('How do I add lead?');
    assert.match(text, /To add lead, open the hatch/);
    assert.doesNotMatch(text, /tin (?:boxes|lids)/);
  });
});

describe('A list whose items have several sentences', () => {
  const ask = knowing([
    [
      'Bread',
      'To bake bread, follow these steps:\n\n1. Knead the dough. It must be warm.\n2. Heat the oven. It takes an hour.\n3. Bake the bread. Nobody opens the oven.',
    ],
    [
      'Lamps',
      '- The lamp red means that the ramp is open. Pull the lever twice.\n- The lamp blue means that the bilge is full. Start the pump by hand.',
    ],
  ]);

  it('is quoted as a whole if it describes the way', async () => {
    assert.match(
      (await ask('How do I bake bread?')).text,
      /steps:\n1\. Knead[^]*warm\.\n2\. Heat[^]*hour\.\n3\. Bake[^]*opens the oven\. \[1\]$/,
    );
  });

  it('is quoted with the sentence that says what an item is about', async () => {
    const { text } = await ask('When is the pump to be started by hand?');
    assert.match(text, /lamp blue.*Start the pump by hand/);
  });
});

describe('A question about removing something', () => {
  const ask = knowing([
    ['Adding users', 'The command users create adds a user. A user signs in with a password.'],
    ['Benutzer hinzufügen', 'Der Befehl users create legt einen Benutzer an.'],
    ['Añadir usuarios', 'La orden users create añade un usuario.'],
    ['Rooms', 'The command rooms create adds a room. The command rooms delete removes a room.'],
  ]);

  for (const question of [
    'How do I delete a user?',
    'Wie lösche ich einen Benutzer?',
    '¿Cómo borro un usuario?',
  ])
    it(`is not answered with how to create it: ${question}`, async () => {
      assert.doesNotMatch((await ask(question)).text, /users create/);
    });

  for (const [question, expected] of [
    ['How do I remove a room?', /rooms delete/],
    ['How do I add a user?', /users create/],
  ] as const)
    it(`is answered with its own action: ${question}`, async () => {
      assert.match((await ask(question)).text, expected);
    });
});
