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

const manual: [string, string][] = [
  [
    'Running the ferry › Refuelling',
    '1. Moor the ferry.\n2. Open the valve on the left side.\n3. Fill in at most 400 litres.\n\nThe tank lies under the deck. Nobody may smoke meanwhile.',
  ],
  [
    'Safety › Fuel',
    'A spare can of fuel stands on the deck. Whoever wants to refuel abroad refuels with diesel and keeps the bill.',
  ],
  [
    'The radio › Alarm codes',
    'The codes are the same on all ferries.\n\n| Code | Meaning |\n| --- | --- |\n| 11 | Water in the hull |\n| 12 | Fire |\n| 13 | Engine too hot |\n| 14 | Somebody overboard |',
  ],
  ['The crew › The ranks and their duties', 'The three ranks are sailor, mate and skipper.'],
  ['The crew › Uniforms', 'A mate and those of higher ranks wear a cap. No ranks wear shorts.'],
  [
    'La tripulación › Los rangos',
    'Quien tiene el rango de marinero limpia la cubierta. Quien tiene el de timonel lleva el timón. Quien tiene el de patrón manda.\n\nTodos duermen a bordo.',
  ],
  [
    'Die Besatzung › Die Dienstgrade',
    'Jeder an Bord hat einen Dienstgrad. Wer Matrose ist, putzt das Deck. Wer Steuermann ist, führt das Ruder. Wer Kapitän ist, befiehlt.\n\nAlle schlafen an Bord.',
  ],
  ['El equipaje', 'Una maleta puede ocupar como máximo 80 cm. Una bicicleta cuesta 4 euros.'],
  ['Gepäck', 'Ein Koffer darf höchstens 80 cm messen. Ein Fahrrad kostet 4 Euro.'],
  ['Boarding passes', 'A boarding pass is valid for 45 minutes. It is printed on the pier.'],
  [
    'Bordkarten',
    'Eine Bordkarte ist ohne andere Einstellung 45 Minuten gültig. Sie wird am Kai gedruckt.',
  ],
  [
    'Settings',
    '| Setting | Default | Meaning |\n| --- | --- | --- |\n| `pier.pass_minutes` | 45 | Validity of a boarding pass |\n| `radio.channel` | 16 | Channel of the radio |',
  ],
  [
    'Einstellungen',
    '| Einstellung | Standard | Bedeutung |\n| --- | --- | --- |\n| `pier.pass_minutes` | 45 | Gültigkeit einer Bordkarte |\n| `radio.channel` | 16 | Kanal des Funkgeräts |',
  ],
  [
    'Faults',
    '- The lamp `red` means that the ramp is not closed. Pull the lever twice.\n- The lamp `blue` means that the bilge is full. Start the pump by hand.',
  ],
  [
    'Running the ferry › Anchoring',
    'As soon as the bell rings, the ferry is stopped and the chain let go. The skipper keeps the crew away from it.',
  ],
  ['Repairs', 'When the anchor of the ferry is damaged, anchor it elsewhere and call the yard.'],
  [
    'Labels › Patterns',
    'In a label, `:pier` stands for the number of the berth. A pier has a name.',
  ],
  ['Boarding › Dangerous animals', 'You bring dangerous animals to the skipper first.'],
  [
    'Boarding › Animals that are allowed',
    'Small animals travel in a basket. A dog needs a muzzle.',
  ],
  ['A bordo › Animales peligrosos', 'Hay que llevar un animal peligroso al patrón con su bozal.'],
  [
    'A bordo › Animales admitidos',
    'Los animales pequeños viajan en una cesta. Un perro necesita bozal.',
  ],
  ['An Bord › Gefährliche Tiere', 'Wir lassen Sie gefährliche Tiere nur nach Anruf mitnehmen.'],
  ['An Bord › Erlaubte Tiere', 'Kleine Tiere reisen im Korb. Ein Hund braucht einen Maulkorb.'],
  ['Labels › Names', 'The name of a pier means nothing but the place where it lies.'],
];

describe('A question about a manual', () => {
  let test: TestApp;
  let acme: TestOrganization;

  before(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
    for (const [title, content] of manual) await storeEntry(test, acme, { title, content });
  });
  after(() => test.close());

  const ask = (text: string, history: Turn[] = []) => askInPublic(test, acme, text, history);

  const talk = async (...turns: [string, RegExp | undefined][]): Promise<void> => {
    const history: Turn[] = [];
    for (const [question, expected] of turns) {
      const { text, found } = await ask(question, history);
      const told = `${question} ${text}`;
      if (expected === undefined) assert.equal(found, false, told);
      else assert.match(text, expected, told);
      history.push({ role: 'user', content: question }, { role: 'assistant', content: text });
    }
  };

  it('that is a heading gets the section from its beginning', async () => {
    assert.match((await ask('How do I refuel?')).text, /^1\. Moor the ferry\.\n2\. .*\n3\. /);
    assert.match(
      (await ask('alarm codes')).text,
      /^The codes are the same on all ferries\.\n\n\| Code .*\n.*\n\| 11 .*\n\| 12 .*\n\| 13 .*\n\| 14 .*\n\n\[1\]$/,
    );
  });

  it('gets the same answer after a greeting', async () => {
    for (const [greeting, question] of [
      ['Hello, ', 'how do I refuel?'],
      ['Hi there ', 'how do I refuel?'],
      ['Good morning - ', 'alarm codes'],
      ['Thanks, ', 'alarm codes'],
      ['Hola, ', '¿qué rangos hay?'],
      ['hallo ', 'welche Dienstgrade gibt es?'],
    ] as const) {
      const plain = await ask(question);
      assert.equal(plain.found, true, question);
      assert.equal((await ask(greeting + question)).text, plain.text, greeting + question);
    }
  });

  it('for all of a kind gets the complete list', async () => {
    assert.match((await ask('Which ranks are there?')).text, /^The three ranks are sailor, mate/);
    assert.match((await ask('¿Qué rangos hay?')).text, /marinero.*timonel.*patrón manda\. \[1\]$/);
    assert.match((await ask('Welche Dienstgrade gibt es?')).text, /Matrose.*Steuermann.*Kapitän/);
  });

  it('for what a person may bring gets what is allowed', async () => {
    for (const [question, expected] of [
      ['Which animals can I bring?', /^Small animals travel in a basket\. A dog needs a muzzle/],
      ['¿Qué animales puedo llevar?', /^Los animales pequeños viajan en una cesta\. Un perro/],
      ['Welche Tiere darf ich mitnehmen?', /^Kleine Tiere reisen im Korb\. Ein Hund/],
    ] as const)
      assert.match((await ask(question)).text, expected);
  });

  it('for the difference between two things gets the sentences about both', async () => {
    for (const [question, expected] of [
      ['What is the difference between a sailor and a skipper?', /sailor, mate and skipper/],
      ['difference between sailor and skipper', /sailor, mate and skipper/],
      ['¿Qué diferencia hay entre marinero y patrón?', /marinero.*patrón/],
      ['Was ist der Unterschied zwischen Matrose und Kapitän?', /Matrose.*Kapitän/],
    ] as const)
      assert.match((await ask(question)).text, expected, question);
  });

  it('about a number gets the meaning of that number', async () => {
    assert.match((await ask('What does code 13 mean?')).text, /\| 13 \| Engine too hot/);
  });

  it('about a code or a sign gets exactly that one, or no answer', async () => {
    const { text } = await ask('What does code 14 mean?');
    assert.match(text, /\| 14 \| Somebody overboard/);
    assert.doesNotMatch(text, /\| 1[123] /);
    assert.equal((await ask('What does code 19 mean?')).found, false);
    assert.match((await ask('What does :pier mean')).text, /^In a label, `:pier` stands for/);
    assert.equal((await ask('What does :name mean')).found, false);
  });

  it('about a way to do something gets the section on that action', async () => {
    assert.match((await ask('How do I anchor the ferry?')).text, /^As soon as the bell rings/);
  });

  it('gets table rows in a block of their own, with the citation below', async () => {
    const { text } = await ask('On which channel is the radio?');
    assert.match(
      text,
      /(?:^|\n\n)\| Setting \| Default \| Meaning \|\n\| --- \| --- \| --- \|\n(?:\| .* \|\n)+\n\[\d\]/,
    );
    assert.doesNotMatch(text, /\|[^\n]*\[\d\]/);
  });

  it('in a message with others gets its own answer', async () => {
    for (const message of [
      'On which channel is the radio, and how long is a boarding pass valid?',
      'On which channel is the radio? How long is a boarding pass valid?',
    ]) {
      assert.match(
        (await ask(message)).text,
        /Channel of the radio[^]*\[1\][^]*45 minutes.*\[2\]$/,
      );
    }
    const thrice =
      'How long is a boarding pass valid? On which channel is the radio? Where is a pass printed?';
    assert.match(
      (await ask(thrice)).text,
      /45 minutes\. \[1\][^]*radio \|\n\n\[2\][^]*printed on the pier\. \[1\]$/,
    );
    assert.match(
      (await ask('Wie lange gilt eine Bordkarte, und was kostet ein Fahrrad?')).text,
      /45 Minuten.*4 Euro/,
    );
    assert.match(
      (await ask('¿Qué rangos hay y cuánto cuesta una bicicleta?')).text,
      /marinero.*patrón.*4 euros/,
    );
    assert.match(
      (await ask('How long is a boarding pass valid, and where is the moon?')).text,
      /^A boarding pass is valid for 45 minutes\. \[1\]\n\nI found nothing on “where is the moon”\.$/,
    );
  });

  it('for one thing of a section gets only that', async () => {
    assert.doesNotMatch((await ask('What does alarm code 13 mean?')).text, /Water/);
    assert.doesNotMatch((await ask('Wer führt als Dienstgrad das Ruder?')).text, /Matrose/);
  });

  it('for a measure gets the value, even if the text does not name the measure', async () => {
    assert.match((await ask('¿Cuál es el tamaño máximo de una maleta?')).text, /80 cm/);
    assert.match((await ask('Welche Größe darf ein Koffer haben?')).text, /80 cm/);
    assert.match((await ask('¿Qué precio tiene una bicicleta?')).text, /4 euros/);
  });

  it('for a measure without a value in the text gets no answer', async () => {
    for (const question of ['What is the price of a uniform?', '¿Qué precio tiene un timonel?']) {
      assert.equal((await ask(question)).found, false, question);
    }
  });

  it('can be followed by “Can I change that?”, which gets the setting', async () => {
    await talk(
      ['How long is a boarding pass valid?', /45 minutes/],
      ['Can I change that?', /pier\.pass_minutes.*boarding pass/],
    );
    await talk(
      ['Wie lange gilt eine Bordkarte?', /45 Minuten/],
      ['Kann man das ändern?', /pier\.pass_minutes.*Bordkarte/],
    );
    await talk(['Where is the tank?', /under the deck/], ['Can I change that?', undefined]);
  });

  it('can be followed by “How do I change it?” even if the answer already named the setting', async () => {
    const ports = await addOrganization(test, 'Ports');
    for (const [title, content] of [
      ['Berths', 'A berth is kept for 20 minutes, and the setting berth.minutes changes this.'],
      ['Amarres', 'Un amarre se guarda 20 minutos, y el ajuste berth.minutes lo cambia.'],
      ['Liegeplätze', 'Ein Liegeplatz bleibt 20 Minuten frei, was berth.minutes ändert.'],
      [
        'Defaults',
        '| Setting | Default | Meaning |\n| --- | --- | --- |\n| `berth.minutes` | 20 | Time of a berth |',
      ],
      [
        'Valores',
        '| Ajuste | Valor | Significado |\n| --- | --- | --- |\n| `berth.minutes` | 20 | Tiempo de un amarre |',
      ],
      [
        'Standardwerte',
        '| Einstellung | Standard | Bedeutung |\n| --- | --- | --- |\n| `berth.minutes` | 20 | Zeit eines Liegeplatzes |',
      ],
    ] as const)
      await storeEntry(test, ports, { title, content });
    for (const [question, followUp, row] of [
      ['How long is a berth kept?', 'And how do I change it?', /\| Time of a berth/],
      ['¿Cuánto tiempo se guarda un amarre?', '¿Y cómo lo cambio?', /\| Tiempo de un amarre/],
      ['Wie lange bleibt ein Liegeplatz frei?', 'Und wie ändere ich das?', /\| Zeit eines Liege/],
    ] as const) {
      const history: Turn[] = [
        { role: 'user', content: question },
        { role: 'assistant', content: (await askInPublic(test, ports, question)).text },
      ];
      assert.match(history[1]?.content ?? '', /20 [Mm]inut/);
      const { text } = await askInPublic(test, ports, followUp, history);
      assert.match(text, row, text);
    }
  });

  it('can be followed by a new aspect, which does not get the same answer again', async () => {
    const yard = await addOrganization(test, 'Yard');
    for (const [title, content] of [
      ['The crane', 'The crane lifts 12 tons. Trucks drive in under the crane by the north gate.'],
      ['La grúa', 'La grúa levanta 12 toneladas. Los camiones entran bajo la grúa por el norte.'],
      ['Der Kran', 'Der Kran hebt 12 Tonnen. Lastwagen fahren unter dem Kran von Norden ein.'],
      ['The canteen', 'The canteen gets fresh bread at noon.'],
      ['Fotos', 'Wer im Büro arbeitet, darf Fotos löschen.'],
    ] as const)
      await storeEntry(test, yard, { title, content });
    for (const [question, followUp, expected] of [
      ['What does the crane lift?', 'And trucks?', /^Trucks drive/],
      ['¿Qué levanta la grúa?', '¿Y los camiones?', /^Los camiones entran/],
      ['Was hebt der Kran?', 'Und Lastwagen?', /^Lastwagen fahren/],
      // Something else gets something: not the crane.
      ['What does the crane lift?', 'And who gets it?', undefined],
      // Somebody deletes something: not the cranes.
      ['Was hebt der Kran?', 'Und wer darf ihn löschen?', undefined],
      ['Was hebt der Kran?', 'Und wer darf sie löschen?', undefined],
    ] as const) {
      const { text: said } = await askInPublic(test, yard, question);
      assert.match(said, /12/);
      const history: Turn[] = [
        { role: 'user', content: question },
        { role: 'assistant', content: said },
      ];
      const { text, found } = await askInPublic(test, yard, followUp, history);
      if (expected === undefined) assert.equal(found, false, text);
      else assert.match(text, expected);
    }
  });

  it('can be followed by “What can I do?”, which gets the next sentences', async () => {
    await talk(
      ['What does the lamp blue mean?', /bilge is full/],
      ['How do I fix it?', /Start the pump by hand/],
    );
    await talk(
      ['What does the lamp red mean?', /ramp is not closed/],
      [
        'What can I do?',
        /^- The lamp `red` .*Pull the lever twice\. \[1\]$|^Pull the lever twice\. \[1\]$/,
      ],
    );
  });

  it('can’t be followed by a reference to a position, such as “the last one”', async () => {
    for (const question of ['And what is the number of the last one?', 'Who lies in the second?'])
      await talk(['Which ranks are there?', /sailor, mate/], [question, undefined]);
    await talk(
      ['Welche Dienstgrade gibt es?', /Matrose/],
      ['Und wer putzt die letzte?', undefined],
    );
  });

  it('can be followed by a question for the price, which gets a price or no answer', async () => {
    await talk(
      ['Wie heißt die Karte fürs Fahrrad?', undefined],
      ['Was kostet ein Fahrrad?', /4 Euro/],
    );
    await talk(['What does the lamp red mean?', /ramp/], ['What does that cost?', undefined]);
  });

  it('with a name that no text contains gets no answer about the other words', async () => {
    assert.equal((await ask('Gibt es eine Bordkarte für das eBoot?')).found, false);
  });
});
