import assert from 'node:assert/strict';
import { findRunningAnswer } from '../../src/conversations/answering/running-answers.js';
import { openSession } from '../../src/widget/socket-session.js';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import { addOrganization, openTestApp } from '../support/test-app.js';
import { addWidgetKey } from '../support/widget-keys.js';

describe('A widget page that closes while its question is being stored', () => {
  it('frees its place at the model: the answer is cancelled if nobody returns in time', async () => {
    const ollama = await startOllamaStandIn({ stallAfter: 0 });
    const test = await openTestApp({
      answers: { resume_window_ms: 20 },
      ollama: { url: ollama.url, total_timeout_ms: 5000 },
    });
    const acme = await addOrganization(test);
    await storeEntry(test, acme, { title: 'Backups', content: 'Backups are made at night.' });
    let over: (gone: Promise<void>) => void = () => undefined;
    const stored = new Promise<void>((resolve) => (over = resolve));
    const session = openSession(test.app, {
      address: '192.0.2.1',
      origin: 'https://acme.example',
      limits: {
        countAddress: () => Promise.resolve(),
        refuseAgain: () => undefined,
        countCaller: () => Promise.resolve(),
        holdBody: () => undefined,
        takeBody: (_ctx, _actor, read) => read(''),
        // Who asks is known by then, and nothing is stored yet.
        delayRefusal: () => Promise.resolve(),
        countFrame: (_address, _actor, limit) => {
          if (limit !== 'message') return Promise.resolve();
          session.end();
          over(session.finish());
          return Promise.resolve();
        },
      },
      send: () => Promise.resolve(),
      close: () => undefined,
      occupy: () => true,
      follow: () => Promise.resolve(() => undefined),
    });
    const apiKey = await addWidgetKey(test, acme, 'public');
    const context = { url: 'https://acme.example/', title: '' };
    const message = { type: 'message', id: 'a', message: 'When are backups made?', context };
    for (const frame of [{ type: 'hello', apiKey }, message]) {
      session.receive(Buffer.from(JSON.stringify(frame)));
    }
    await stored;
    const [question] = await test.app.db.read<{ id: number }>('messages').select('id');
    const running = findRunningAnswer(test.app, question?.id ?? 0);
    assert.ok(running);
    await assert.rejects(running.result, { code: 'cancelled' });
    await test.close();
    await ollama.stop();
  });
});
