import { existsSync } from 'node:fs';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { addEntries } from '../src/knowledge/store-entries.js';
import { inTransaction } from '../src/platform/db/in-transaction.js';
import { packageRoot } from '../src/platform/package-root.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../test/support/test-app.js';
import { addWidgetKey } from '../test/support/widget-keys.js';
import { connections } from './load.js';
import { round, type Measure, type Row } from './measure.js';
import { entryOf } from './retrieval/indexed-sets.js';
import { dataFolder, readSets } from './retrieval/question-sets.js';
import {
  addSampleEntries,
  entryCount,
  questions as sampleQuestions,
  sampleEntry,
} from './sample-entries.js';
import { cpuMsOf, startServerProcess } from './server-process.js';

const warmUp = 500;
const asked = 2000;

/** Quoted answers per second, and the CPU that each costs the server, over both doors for a message in JSON. */
export async function measureMessages(): Promise<Measure> {
  const test = await openTestApp();
  try {
    const acme = await addOrganization(test);
    const reader = await addUser(test, acme, 'user');
    const key = await addWidgetKey(test, acme, 'public');
    const { questions, of } = await addKnowledge(test, acme);
    const page = `https://${acme.domain}/`;
    const doors = [
      { path: '/api/conversations/message', headers: { Authorization: `Bearer ${reader.token}` } },
      {
        path: '/widget/message',
        headers: { 'X-Widget-Key': key, Origin: new URL(page).origin },
      },
    ];
    const server = await startServerProcess(test.app.config.database.path);
    const rows: Row[] = [];
    try {
      for (const { path, headers } of doors) {
        const requests = questions.map((message) => ({
          ...{ method: 'POST' as const, path },
          headers: { 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify({ message, context: { url: page, title: 'Station' } }),
        }));
        const ask = (amount: number, from: number) => {
          // Each connection has questions of its own: what one has asked is not what the next asks.
          let connected = 0;
          const setupClient = (client: autocannon.Client) => {
            const first = (connected++ * requests.length) / connections + from;
            client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
          };
          return autocannon({ url: server.url, connections, amount, requests, setupClient });
        };
        await ask(warmUp, asked / connections / 2);
        const before = await cpuMsOf(server.pid);
        const result = await ask(asked, 0);
        const cpu = (await cpuMsOf(server.pid)) - before;
        rows.push({
          door: path,
          'answers/s': Math.round(asked / result.duration),
          'CPU ms each': round(cpu / asked),
          p50: result.latency.p50,
          p99: result.latency.p99,
          failed: result.non2xx + result.errors,
        });
      }
    } finally {
      await server.stop();
    }
    return {
      name: 'messages',
      about: `${asked} ${of}, over ${connections} connections to one server in mode extractive with ${entryCount} entries; CPU of all threads of the server; latency in ms; bar: 250 answers/s on two cores`,
      rows,
    };
  } finally {
    await test.close();
  }
}

/** Real texts and questions where they are at hand: invented sentences are shorter, and their words far fewer. */
async function addKnowledge(
  test: TestApp,
  acme: TestOrganization,
): Promise<{ questions: string[]; of: string }> {
  const folder = join(packageRoot(), '..', 'shared', 'data');
  if (!existsSync(folder)) {
    await addSampleEntries(test.app, acme);
    return { questions: sampleQuestions, of: 'of 20 invented questions in rotation' };
  }
  const sets = readSets(dataFolder(folder), 'squad', ['en', 'es']);
  const real = sets.flatMap(({ passages, language }) =>
    passages.map((passage) => entryOf(acme, passage, language)),
  );
  const missing = Math.max(0, entryCount - real.length);
  const more = Array.from({ length: missing }, (_, index) => sampleEntry(acme, index, null));
  const entries = [...real, ...more].slice(0, entryCount);
  for (let start = 0; start < entries.length; start += 200) {
    await inTransaction(test.app, (app) => addEntries(app, entries.slice(start, start + 200)));
  }
  // Both languages by turns, each question from another article than the last.
  const stride = 7;
  const questions = Array.from({ length: asked }, (_, index) => {
    const { questions = [] } = sets[index % sets.length] ?? {};
    return questions[(index * stride) % questions.length]?.question ?? '';
  });
  return { questions, of: 'questions of SQuAD in en and es, put to its passages' };
}
