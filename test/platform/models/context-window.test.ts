import assert from 'node:assert/strict';
import { createCounter } from '../../../src/platform/counter.js';
import { createOllamaClient, wasCut } from '../../../src/platform/models/ollama-client.js';
import { startOllamaStandIn } from '../../support/ollama-stand-in.js';
import { clients, messages } from './open-client.js';

describe('The context window of the model', () => {
  const open = clients();
  const shows = (ollama: { requests: { path: string }[] }) =>
    ollama.requests.filter(({ path }) => path === '/api/show').length;

  it('is the setting if the model supports more', async () => {
    const { ollama, client } = await open({ contextLength: 131_072 }, { numCtx: 16_384 });
    assert.equal(await client.window(), 16_384);
    await client.chat({ messages });
    assert.equal(ollama.chats[0]?.options?.num_ctx, 16_384);
  });

  it('is the model’s maximum in every call if the setting is larger', async () => {
    const { ollama, client } = await open({ contextLength: 4096 }, { numCtx: 16_384 });
    await client.chat({ messages });
    await client.warm();
    assert.deepEqual(
      ollama.chats.map((chat) => chat.options?.num_ctx),
      [4096, 4096],
    );
    assert.equal(await client.window(), 4096);
  });

  it('is known together with whether the model can think, and only such models get the setting think', async () => {
    for (const [canThink, think, sent] of [
      [false, undefined, undefined],
      [false, 'on', undefined],
      [true, undefined, false],
      [true, 'off', false],
      [true, 'on', true],
      [true, 'low', 'low'],
    ] as const) {
      const { ollama, client } = await open({ canThink }, think === undefined ? {} : { think });
      assert.equal(await client.canThink(), canThink);
      await client.chat({ messages });
      assert.equal(ollama.chats[0]?.think, sent);
    }
  });

  it('is requested once', async () => {
    const { ollama, client } = await open();
    await Promise.all([client.window(), client.chat({ messages }), client.chat({ messages })]);
    await client.window();
    assert.equal(shows(ollama), 1);
  });

  it('is the setting if the server does not report a maximum, or does not answer', async () => {
    const silent = await open({ contextLength: undefined }, { numCtx: 6000 });
    assert.equal(await silent.client.window(), 6000);
    const dead = await open({}, { numCtx: 6000 });
    await dead.ollama.stop();
    assert.equal(await dead.client.window(), 6000);
  });

  it('is requested again once the server is available', async () => {
    const { ollama, client } = await open({ proxyStatus: 502, contextLength: 4096 });
    assert.equal(await client.window(), 8192);
    ollama.proxyStatus = undefined;
    assert.equal(await client.window(), 4096);
  });

  it('is requested again after the model was pulled again', async () => {
    const { ollama, client } = await open({ contextLength: 4096 }, { statusKeepMs: 0 });
    await client.status();
    assert.equal(await client.window(), 4096);
    ollama.contextLength = 2048;
    await client.status();
    assert.equal(await client.window(), 4096, 'the same digest is the same model');
    ollama.revision = 1;
    await client.status();
    assert.equal(await client.window(), 2048);
  });
});

describe('A prompt that the server has cut', () => {
  it('is distinguished from one that was in the server’s cache', () => {
    const numCtx = 8192;
    assert.ok(wasCut({ characters: 40_000, tokens: 4096, numCtx }));
    assert.ok(wasCut({ characters: 40_000, tokens: 2048, numCtx }));
    assert.ok(wasCut({ characters: 80_000, tokens: 8192, numCtx }));
    assert.ok(!wasCut({ characters: 20_000, tokens: 5000, numCtx }));
    assert.ok(!wasCut({ characters: 20_000, tokens: 7, numCtx }), 'asked a second time');
    assert.ok(!wasCut({ characters: 20_000, tokens: 0, numCtx }), 'the server does not say');
    assert.ok(!wasCut({ characters: 200, tokens: 12, numCtx }));
  });

  it('is counted each time and logged once, and does not change the token ratio', async () => {
    const ollama = await startOllamaStandIn({ forcedNumCtx: 2048 });
    const events = createCounter<{ event: string }>();
    const warnings: unknown[] = [];
    const client = createOllamaClient(
      {
        url: ollama.url,
        chatModel: 'llama3.2',
        numCtx: 8192,
        keepAlive: '5m',
        firstTokenTimeoutMs: 5000,
        idleTimeoutMs: 5000,
        totalTimeoutMs: 5000,
        concurrency: 1,
      },
      { events, log: { warn: (facts: unknown) => void warnings.push(facts) } },
    );
    const content = 'The pump takes setting four. '.repeat(1000);
    await client.chat({ messages: [{ role: 'user', content }] });
    await client.chat({ messages: [{ role: 'user', content }] });
    assert.deepEqual(warnings, [
      { model: 'llama3.2', characters: content.length, tokens: 2048, numCtx: 8192 },
    ]);
    assert.deepEqual(events.counts(), [
      { labels: { event: 'prompt_cut' }, count: 2 },
      { labels: { event: 'answered' }, count: 2 },
    ]);
    assert.equal(client.tokens.charactersPerToken('llama3.2'), 2.5);
    await client.close();
    await ollama.stop();
  });
});
