import assert from 'node:assert/strict';
import { smallTalkIn } from '../../src/answers/small-talk.js';
import { callApi } from '../support/api-client.js';
import { openEventStream } from '../support/event-reader.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { welcomeWidget } from '../support/widget-client.js';
import { addWidgetKey } from '../support/widget-keys.js';

interface Reply {
  response: string;
  conversationId: string;
  sources: unknown[];
  found: boolean | null;
  canRequest: boolean;
  mode: string;
  language: string;
  suggestions?: string[];
  visitorToken?: string;
}

const smallTalk = {
  en: [
    ...['Hello!', 'Helo', 'good morning', 'Hi Anna 👋', 'hi, my name is Anna', 'How are you?'],
    ...['Thanks!', 'thank you very much', 'Great, thnks', 'Bye', 'See you later'],
    ...['Who are you?', 'What can you do?', 'How can you help me?', 'Can I ask you something?'],
    ...['Hello, what can you do?', 'help', 'hellooo there', 'What is your name?', 'hello world'],
    ...['Yes please', 'Not really', 'OK thanks'],
  ],
  es: [
    ...['¡Hola!', 'hola', 'Buenos días', 'buenas tardes a todos', '¿Qué tal?', 'Hola, soy Ana'],
    ...['Gracias', 'muchas gracias por su ayuda', 'grasias', 'Adiós', 'Hasta luego'],
    ...[
      '¿Quién eres?',
      '¿Qué puedes hacer?',
      '¿En qué puede ayudarme?',
      '¿Puedo hacerle una pregunta?',
    ],
    ...['Sí, por favor', 'de acuerdo'],
  ],
  de: [
    ...['Hallo', 'Guten Tag, Herr Müller!', 'moin', 'Grüß Gott', 'Guten Morgen zusammen'],
    ...[
      'Danke',
      'Vielen Dank für Ihre Hilfe',
      'Danke schön 🙏',
      'Tschüss',
      'tschuess',
      'Auf Wiedersehen',
    ],
    ...[
      'Wer sind Sie?',
      'Was kannst du?',
      'Wie können Sie mir helfen?',
      'Kann ich dich etwas fragen?',
    ],
    ...['Ja bitte', 'weiß ich nicht'],
  ],
};

const questions = [
  ...['hello world program', 'thanks, and how do I install it?', 'how do I say hello in the API?'],
  ...['help me install it', 'what can you do with a batch?', 'Thank you page template', 'why?'],
  ...[
    'Hola, ¿cómo instalo el programa?',
    '¿Qué puede hacer un administrador?',
    'ayuda con el lote',
  ],
  ...[
    'Danke, und wie installiere ich es?',
    'Was kann der Tag?',
    'Was ist ein Bot?',
    'tag',
    'no images',
  ],
  ...['yes, how do I install it?', 'really?', 'Maria Lopez', '3', 'ja aber warum?', 'sí o sí'],
  `hello ${'there '.repeat(2000)}`,
];

const refusal = /found no answer|No he encontrado una respuesta|keine Antwort gefunden/;

describe('Small talk', () => {
  let ollama: OllamaStandIn;
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ada: TestUser;
  let staff: TestUser;
  let key: string;
  const origin = 'https://acme.example';
  const context = { url: `${origin}/pumps/4`, title: 'Pump 4' };

  before(async () => {
    ollama = await startOllamaStandIn({ answer: () => 'It turns 900 times [1].' });
    test = await serveTestApp({ ollama: { url: ollama.url } });
    acme = await addOrganization(test);
    ada = await addUser(test, acme, 'user');
    staff = await addUser(test, acme, 'admin');
    key = await addWidgetKey(test, acme, 'public');
    const rotor = 'The rotor of the pump turns 900 times a minute. It is greased every month.';
    const urlPattern = '/pumps/:id';
    await storeEntry(test, acme, { title: 'Pumps › The rotor (2)', content: rotor, urlPattern });
    const secret = { content: 'It was stolen by Hugo.', visibility: 'internal' as const };
    await storeEntry(test, acme, { title: 'Rotor secrets', urlPattern, ...secret });
    const halls = 'The halls of the yard are open from six to eight.';
    await storeEntry(test, acme, { title: 'Halls', content: halls });
  });
  after(async () => {
    await test.close();
    await ollama.stop();
  });

  const send = async (message: string, more: object = {}, token = ada.token) => {
    const body = { message, context, ...more };
    const answered = await callApi<Reply>(`${test.url}/api/conversations/message`, { token, body });
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    return answered.body;
  };
  const assertFriendly = (reply: Reply, message: string) => {
    assert.doesNotMatch(reply.response, refusal, message);
    assert.deepEqual(
      [reply.found, reply.canRequest, reply.mode, reply.sources],
      [null, false, 'extractive', []],
      `${message}: ${reply.response}`,
    );
  };

  for (const language of ['en', 'es', 'de'] as const) {
    it(`gets a friendly reply in its own language: ${language}`, async () => {
      const elsewhere = { ...context, language: language === 'en' ? 'de' : 'en' };
      for (const message of smallTalk[language]) {
        const reply = await send(message, { context: elsewhere });
        assertFriendly(reply, message);
        // "Hi Anna" is said in German too: the page tells.
        if (!/^(?:hi )/i.test(message)) assert.equal(reply.language, language, message);
        const own = reply.language === 'en' ? ['Pumps: The rotor'] : [];
        assert.deepEqual(reply.suggestions, own, message);
      }
      assert.equal(ollama.chats.length, 0);
    });
  }

  it('gets a description of the assistant, in the page’s language if its words show none', async () => {
    const says = async (message: string, panel: string) =>
      (await send(message, { context: { ...context, language: panel } })).response;
    assert.match(await says('hello', 'de'), /^Hello! I answer from our documents and show/);
    assert.match(await says('👋', 'de'), /^Hallo! Ich antworte aus unseren Unterlagen/);
    assert.match(await says('Hi!', 'es'), /^¡Hola! Respondo con nuestra documentación/);
    assert.match(await says('Wer bist du?', 'en'), /^Ich bin ein automatischer Assistent\. Ich/);
    assert.match(await says('thx', 'es'), /^¡De nada!/);
  });

  it('includes messages that ask nothing, such as punctuation, emoji and “yes”', async () => {
    for (const [panel, next] of [
      ['en', /^I answer from .* What would you like to know\?$/],
      ['es', /^Respondo con .* ¿Qué le gustaría saber\?$/],
      ['de', /^Ich antworte .* Was möchten Sie wissen\?$/],
    ] as const) {
      for (const message of ['?', '…', '😀', '!!!', '?!', '- -']) {
        const reply = await send(message, { context: { ...context, language: panel } });
        assertFriendly(reply, message);
        assert.match(reply.response, next, message);
      }
    }
    for (const [panel, messages, says] of [
      ['en', ['yes', 'No', 'ok', 'maybe', '👍'], /All right|You’re welcome/],
      ['es', ['sí', 'no', 'Vale', 'ok', '👍'], /De acuerdo|De nada/],
      ['de', ['Ja', 'nein', 'ok', 'vielleicht', '👍'], /In Ordnung|Gern geschehen/],
    ] as const) {
      for (const message of messages) {
        const reply = await send(message, { context: { ...context, language: panel } });
        assertFriendly(reply, message);
        assert.match(reply.response, says, message);
      }
    }
  });

  it('includes a name alone, unless an entry contains it', async () => {
    const lopez = { title: 'Elena Gomez', content: 'She looks after the pumps of the yard.' };
    await storeEntry(test, acme, lopez);
    for (const [panel, message, asked] of [
      ['en', 'Maria Lopez', 'I found nothing on “Maria Lopez”. What would you like to know?'],
      ['es', 'María López', 'No he encontrado nada sobre «María López». ¿Qué le gustaría saber?'],
      ['de', 'Hans Meier', 'Zu „Hans Meier“ habe ich nichts gefunden. Was möchten Sie wissen?'],
    ] as const) {
      const reply = await send(message, { context: { ...context, language: panel } });
      assertFriendly(reply, message);
      assert.ok(reply.response.startsWith(asked), reply.response);
    }
    assert.equal((await send('Elena Gomez')).found, true);
    assert.equal((await send('Where Is Zanzibar')).found, false);
  });

  it('does not include questions, which are answered or refused as usual', async () => {
    for (const question of questions) assert.equal(smallTalkIn(question), undefined, question);
    const asked = await send('Thanks, and how often is the rotor greased?');
    assert.equal(asked.found, true);
    const unknown = await send('How do I say hello in the API?');
    assert.equal(unknown.found, false);
    assert.equal(unknown.canRequest, true);
    // What may be a slip of the finger may be a subject as well.
    assertFriendly(await send('hallp'), 'hallp');
    assert.equal((await send('halls')).found, true);
  });

  it('gets the same reply over the API, HTTP and the WebSocket, with suggestions that its reader may see', async () => {
    const api = await send('Hello');
    const headers = { Origin: origin };
    const body = { message: 'Hello', context };
    const url = `${test.url}/widget/message`;
    const { body: whole } = await callApi<Reply>(url, { key, headers, body });
    const stream = await openEventStream(url, {
      body,
      headers: { ...headers, 'X-Widget-Key': key },
    });
    const events = await stream.rest();
    const client = await welcomeWidget(test.url, origin, { apiKey: key });
    client.send({ type: 'message', id: 'a', message: 'Hello', context });
    const done = await client.next('done', 'a');
    await client.close();
    const shape = ({ response, found, canRequest, suggestions, mode }: Reply) => ({
      ...{ response, found, canRequest, suggestions, mode },
    });
    const last = events.at(-1);
    assert.equal(last?.event, 'done');
    assert.deepEqual(shape(whole), shape(api));
    assert.deepEqual(shape(last.data as Reply), shape(api));
    assert.deepEqual(shape(done as Reply), shape(api));
    assert.deepEqual((await send('Hello', {}, staff.token)).suggestions, [
      'Rotor secrets',
      'Pumps: The rotor',
    ]);
    const nowhere = { context: { url: 'https://elsewhere.example/', title: '' } };
    assert.deepEqual((await send('Hello', nowhere)).suggestions, []);
  });

  it('counts as neither answered, refused nor used, and matches no filter', async () => {
    const bea = await addUser(test, await addOrganization(test, 'Initech'), 'user');
    const counts = async () => ({
      tallies: test.app.counters.answers.counts(),
      usage: await test.app.db.read('usage_events').count({ n: '*' }),
    });
    const before = await counts();
    const { conversationId } = await send('¿Qué puedes hacer?', {}, bea.token);
    assert.deepEqual(await counts(), before);
    const list = async <T>(path: string) =>
      (await callApi<{ data: T[] }>(`${test.url}/api/conversations${path}`, { token: bea.token }))
        .body.data;
    assert.equal((await list('')).length, 1);
    assert.deepEqual(await list('?found=false'), []);
    assert.deepEqual(await list('?found=true'), []);
    const kept = await list<Reply>(`/${conversationId}/messages`);
    assert.deepEqual(
      kept.map(({ found }) => found),
      [null, null],
    );
    // It does count where something is answered.
    await send('How often is the rotor greased?', {}, bea.token);
    assert.notDeepEqual(await counts(), before);
  });

  it('names a conversation only until the first question', async () => {
    const cleo = await addUser(test, await addOrganization(test, 'Umbrella'), 'user');
    const titles = async () =>
      (
        await callApi<{ data: { title: string }[] }>(`${test.url}/api/conversations`, {
          token: cleo.token,
        })
      ).body.data.map(({ title }) => title);
    const { conversationId } = await send('Hello', {}, cleo.token);
    assert.deepEqual(await titles(), ['Hello']);
    await send('danke', { conversationId }, cleo.token);
    assert.deepEqual(await titles(), ['Hello']);
    await send('How often is the rotor greased?', { conversationId }, cleo.token);
    await send('And who greases it?', { conversationId }, cleo.token);
    assert.deepEqual(await titles(), ['How often is the rotor greased?']);
  });

  it('does not separate a question from its follow-up', async () => {
    const first = await send('How fast does the rotor of the pump turn?');
    const going = { conversationId: first.conversationId };
    assertFriendly(await send('thanks!', going), 'thanks');
    assertFriendly(await send('hello?', going), 'hello');
    const chats = ollama.chats.length;
    assert.equal((await send('And how often is it greased?', going)).found, true);
    const prompt = JSON.stringify(ollama.chats[chats]);
    assert.match(prompt, /How fast does the rotor/);
    assert.doesNotMatch(prompt, /welcome!|I answer questions from/);
  });

  it('is answered from an entry that has it as its title', async () => {
    const globex = await addOrganization(test, 'Globex');
    const bob = await addUser(test, globex, 'user');
    const at = { context: { url: `https://${globex.domain}/`, title: '' } };
    assertFriendly(await send('What can you do?', at, bob.token), 'before');
    const content = 'I know the timetables of all ferries of the lake.';
    await storeEntry(test, globex, { title: 'Help › What can you do?', content });
    await storeEntry(test, globex, {
      title: 'Hello',
      content: 'Hello is the ferry to the island.',
    });
    for (const message of ['what can you do', 'Hi there! What can you do?', 'hello']) {
      const reply = await send(message, at, bob.token);
      assert.equal(reply.found, true, message);
      assert.equal(reply.sources.length, 1, message);
    }
    assertFriendly(await send('good morning', at, bob.token), 'good morning');
  });
});
