import assert from 'node:assert/strict';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { openEventStream, type EventReader } from '../support/event-reader.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type ConfigInput,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import type { RunningServer } from '../../src/main/serve.js';

interface Reply {
  response: string;
  conversationId: string;
  messageId: number;
  sources: { title: string; number: number }[];
  status: string;
  mode: string;
  found: boolean;
  unsupported: { from: number; to: number }[];
}

describe('Fifty streamed answers at once', () => {
  let ollama: OllamaStandIn;
  let test: TestApp & { url: string; server: RunningServer };
  let acme: TestOrganization;
  let ada: TestUser;
  let readers: EventReader[];
  const message = 'How often is the filter cleaned?';
  const text = 'The filter is cleaned every month [1].';

  const open = async (config: ConfigInput = {}) => {
    test = await serveTestApp({ ...config, ollama: { url: ollama.url, ...config.ollama } });
    acme = await addOrganization(test);
    ada = await addUser(test, acme, 'user');
    const content = 'The filter is cleaned every month. Keep it dry.';
    await storeEntry(test, acme, { title: 'Filter', content });
  };
  const body = (rest: object = {}) => ({
    message,
    context: { url: 'https://acme.example/', title: 'Home' },
    ...rest,
  });
  const stream = async (rest: object = {}) => {
    const reader = await openEventStream(`${test.url}/api/conversations/message`, {
      token: ada.token,
      body: body(rest),
    });
    readers.push(reader);
    return reader;
  };
  const joined = (events: { event: string; data: unknown }[]) =>
    events
      .flatMap(({ event, data }) => (event === 'delta' ? [(data as { text: string }).text] : []))
      .join('');

  beforeEach(async () => {
    readers = [];
    ollama = await startOllamaStandIn({ answer: () => text });
  });
  afterEach(async () => {
    readers.forEach((reader) => reader.leave());
    await test.close();
    await ollama.stop();
  });

  it('arrive without losing a piece', async () => {
    ollama.answer = (messages) => {
      const number = /number (\d+)/.exec(messages.at(-1)?.content ?? '')?.[1] ?? '';
      return `Number ${number}: ${'the filter is cleaned every month [1]. '.repeat(20)}End ${number}.`;
    };
    ollama.writeBytes = 50;
    await open({ ollama: { concurrency: 8 } });
    const all = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const reader = await stream({
          message: `I am number ${index}. How often is the filter cleaned?`,
        });
        return reader.rest();
      }),
    );
    for (const [index, events] of all.entries()) {
      const done = events.at(-1)?.data as Reply;
      assert.equal(joined(events), done.response);
      assert.ok(
        done.response.startsWith(`Number ${index}: `) && done.response.endsWith(`End ${index}.`),
      );
      assert.deepEqual(
        events.map(({ id }) => id),
        events.map((_event, at) => at + 1),
      );
    }
    assert.equal(ollama.mostRunning, 8);
  });
});
