import assert from 'node:assert/strict';
import { askInPublic } from '../support/ask-in-public.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('A number in a question', () => {
  let test: TestApp;
  let shop: TestOrganization;

  before(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
    shop = await addOrganization(test);
    for (const [title, content] of [
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
    ] as const)
      await storeEntry(test, shop, { title, content });
  });
  after(() => test.close());

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
    it(`is that of the passage, or there is no answer: ${question}`, async () => {
      const { found, text } = await askInPublic(test, shop, question);
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
    it(`finds the same number, and a bound for a count: ${question}`, async () => {
      assert.match((await askInPublic(test, shop, question)).text, expected);
    });
});

describe('A function word', () => {
  let test: TestApp;

  before(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
  });
  after(() => test.close());

  it('that no text has keeps nothing from being answered, where all texts have the rest', async () => {
    const plant = await addOrganization(test, 'Plant');
    for (let number = 1; number <= 60; number++)
      await storeEntry(test, plant, {
        title: `Alarm ${number}`,
        content: `Reset the alarm ${number}. To reset the alarm press the button.`,
      });
    const { text } = await askInPublic(test, plant, 'How do I reset the alarm?');
    assert.match(text, /press the button/);
  });

  it('of another language is a noun', async () => {
    const yard = await addOrganization(test, 'Yard');
    await storeEntry(test, yard, { title: 'Van', content: 'The van stands in the yard.' });
    const { text } = await askInPublic(test, yard, 'Where is the van?');
    assert.match(text, /stands in the yard/);
  });
});

describe('How long', () => {
  let test: TestApp;
  let shop: TestOrganization;

  before(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
    shop = await addOrganization(test);
    for (const [title, content] of [
      ['Warranty', 'The warranty lasts 24 months.'],
      ['Refunds', 'A refund is paid within ten days after the goods came back.'],
      ['Garantie', 'Die Garantie gilt 24 Monate ab Kauf.'],
      ['Lieferung', 'Die Lieferung dauert drei Werktage und kostet 5 Euro.'],
      ['Envíos', 'El envío llega en dos días.'],
    ] as const)
      await storeEntry(test, shop, { title, content });
  });
  after(() => test.close());

  for (const [question, expected] of [
    ['How long is the warranty?', /24 months/],
    ['How long does a refund take?', /ten days/],
    ['Wie lang ist die Garantie?', /24 Monate/],
    ['Wie lange dauert eine Lieferung?', /drei Werktage/],
    ['¿Cuánto tarda el envío?', /dos días/],
  ] as const)
    it(`is told by a time: ${question}`, async () => {
      assert.match((await askInPublic(test, shop, question)).text, expected);
    });
});
