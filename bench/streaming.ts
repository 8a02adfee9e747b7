import { openEventStream } from '../test/support/event-reader.js';
import { startOllamaStandIn, type OllamaStandIn } from '../test/support/ollama-stand-in.js';
import { addOrganization, openTestApp } from '../test/support/test-app.js';
import { welcomeWidget, type WidgetClient } from '../test/support/widget-client.js';
import { addWidgetKey } from '../test/support/widget-keys.js';
import { median, round, type Measure } from './measure.js';
import { addSampleEntries, entryCount, pagesOf, questions } from './sample-entries.js';
import { startServerProcess, type ServerProcess } from './server-process.js';

const rounds = 60;
const warmUps = 10;
const concurrent = 50;
/** Of one answer: long enough that a frame that is lost shows. */
const answerText = `${Array.from({ length: 150 }, (_, index) => `word${index}`).join(' ')} [1].`;

/** What is measured: milliseconds from a question to the first words of its answer. */
type Ask = (question: string, page: string) => Promise<number>;

/** The model's first words by way of the server, beside asking the model's server directly; and many at once. */
export async function measureStreaming(): Promise<Measure> {
  const test = await openTestApp();
  const ollama = await startOllamaStandIn({ answer: () => answerText });
  try {
    const acme = await addOrganization(test);
    await addSampleEntries(test.app, acme);
    const apiKey = await addWidgetKey(test, acme, 'public');
    const server = await startServerProcess(test.app.config.database.path, {
      ASSISTANT_ANSWERS_MODE: 'ollama',
      ASSISTANT_OLLAMA_URL: ollama.url,
      ASSISTANT_OLLAMA_CONCURRENCY: String(concurrent),
    });
    try {
      const origin = `https://${acme.domain}`;
      const pages = pagesOf(acme.domain);
      return await measureWith(ollama, server, { origin, apiKey, pages });
    } finally {
      await server.stop();
    }
  } finally {
    await ollama.stop();
    await test.close();
  }
}

async function measureWith(
  ollama: OllamaStandIn,
  server: ServerProcess,
  { origin, apiKey, pages }: { origin: string; apiKey: string; pages: string[] },
): Promise<Measure> {
  const client = await welcomeWidget(server.url, origin, { apiKey });
  const headers = { Origin: origin, 'X-Widget-Key': apiKey };
  const ways: [name: string, ask: Ask][] = [
    ['directly', () => askDirectly(ollama)],
    ['SSE', (message, url) => askByStream(server.url, headers, message, url)],
    ['WebSocket', (message, url) => askBySocket(client, message, url)],
  ];
  const times = new Map<string, number[]>(ways.map(([name]) => [name, []]));
  for (let index = 0; index < rounds + warmUps; index += 1) {
    const at = index % questions.length;
    // One after the other in each round: whatever the machine does meanwhile, it does to all of them.
    for (const [name, ask] of ways) {
      const ms = await ask(questions[at] ?? '', pages[at] ?? '');
      if (index >= warmUps) times.get(name)?.push(ms);
    }
  }
  await client.close();
  const base = median(times.get('directly') ?? []);
  const rows = ways.map(([name]) => {
    const own = times.get(name) ?? [];
    const ms = median(own);
    return { way: name, 'median ms': round(ms), 'over direct': round(ms - base), lost: 0 };
  });
  const lost = await loseNone(server.url, origin, apiKey, pages[0] ?? '');
  return {
    name: 'streaming',
    about: `milliseconds from a question to the first words of its answer, ${rounds} rounds, ${entryCount} entries, a stand-in for the model that answers at once; "over direct" should be at most 10; lost: frames of ${concurrent} answers at once`,
    rows: [...rows, { way: `${concurrent} WebSockets`, lost }],
  };
}

async function askDirectly({ url }: OllamaStandIn): Promise<number> {
  const started = performance.now();
  const response = await fetch(`${url}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ model: 'llama3.2', messages: [{ role: 'user', content: 'x' }] }),
  });
  let ms = 0;
  for await (const _ of response.body ?? []) ms ||= performance.now() - started;
  return ms;
}

async function askByStream(
  url: string,
  headers: Record<string, string>,
  message: string,
  page: string,
): Promise<number> {
  const started = performance.now();
  const body = { message, context: { url: page, title: 'Station' } };
  const stream = await openEventStream(`${url}/widget/message`, { headers, body });
  await stream.until(({ event }) => event === 'delta');
  const ms = performance.now() - started;
  await stream.rest();
  return ms;
}

let asked = 0;

async function askBySocket(client: WidgetClient, message: string, url: string): Promise<number> {
  const id = String((asked += 1));
  const started = performance.now();
  client.send({ type: 'message', id, message, context: { url, title: 'Station' } });
  await client.next('delta', id);
  const ms = performance.now() - started;
  await client.next('done', id);
  return ms;
}

/** Asks over many connections at once; how many steps of the answers did not arrive, or not in order. */
async function loseNone(
  url: string,
  origin: string,
  apiKey: string,
  page: string,
): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: concurrent }, () => welcomeWidget(url, origin, { apiKey })),
  );
  const context = { url: page, title: 'Station' };
  const message = questions[0] ?? '';
  clients.forEach(({ send }) => send({ type: 'message', id: 'a', message, context }));
  await Promise.all(clients.map(({ next }) => next('done', 'a')));
  const missing = clients.map(({ frames }) => {
    const texts = frames.flatMap((frame) => (frame.type === 'delta' ? [frame.text] : []));
    const events = frames.flatMap((frame) => ('event' in frame ? [frame.event] : []));
    const gaps = events.filter((event, index) => event !== index + 1).length;
    return texts.join('') === answerText ? gaps : Math.max(gaps, 1);
  });
  await Promise.all(clients.map(({ close }) => close()));
  return missing.reduce((sum, count) => sum + count, 0);
}
