import assert from 'node:assert/strict';
import { openEventStream, type EventReader } from '../support/event-reader.js';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import { addOrganization, serveTestApp } from '../support/test-app.js';
import { welcomeWidget } from '../support/widget-client.js';
import { addWidgetKey } from '../support/widget-keys.js';

describe('The queue for the model', () => {
  it('shares its turns between addresses, however many visitors one address claims to be', async () => {
    const ollama = await startOllamaStandIn({ stallAfter: 0 });
    const test = await serveTestApp({
      ...{ server: { trust_proxy: 1 }, answers: { resume_window_ms: 20 } },
      ollama: { url: ollama.url, concurrency: 1 },
    });
    const acme = await addOrganization(test);
    await storeEntry(test, acme, { title: 'Backups', content: 'Backups are made at night.' });
    const apiKey = await addWidgetKey(test, acme, 'public');
    const origin = 'https://acme.example';
    const body = { message: 'When are backups made?', context: { url: origin, title: '' } };
    const readers: EventReader[] = [];
    /** Asks as a new visitor; resolves to the place in the queue that it is told first. */
    const ask = async (from: string) => {
      const headers = { Origin: origin, 'X-Widget-Key': apiKey, 'X-Forwarded-For': from };
      const reader = await openEventStream(`${test.url}/widget/message`, { body, headers });
      readers.push(reader);
      const waiting = (await reader.until(({ event }) => event === 'waiting')).at(-1);
      return (waiting?.data as { position?: number }).position;
    };
    assert.equal(await ask('192.0.2.1'), undefined, 'it has the place');
    for (const place of [1, 2, 3]) assert.equal(await ask('192.0.2.1'), place);
    assert.equal(await ask('192.0.2.2'), 1, 'another one need not wait for all of them');
    const clients = await Promise.all([
      welcomeWidget(test.url, origin, { apiKey }),
      welcomeWidget(test.url, origin, { apiKey }),
    ]);
    for (const [index, place] of [2, 4].entries()) {
      clients[index]?.send({ type: 'message', id: 'a', ...body });
      const waiting = await clients[index]?.next('waiting', 'a');
      assert.equal((waiting as { position?: number } | undefined)?.position, place);
    }
    clients.forEach(({ socket }) => socket.terminate());
    readers.forEach((reader) => reader.leave());
    await test.close();
    await ollama.stop();
  });
});
