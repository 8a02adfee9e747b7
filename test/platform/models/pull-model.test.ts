import assert from 'node:assert/strict';
import { clients, failureOf } from './open-client.js';

describe('pulling a model', () => {
  const open = clients();

  it('tells how far it is, and ends when the model is there', async () => {
    const { client } = await open();
    const steps: string[] = [];
    await client.pull('qwen3', {
      onProgress: ({ status, completed }) => steps.push(`${status} ${completed ?? ''}`.trim()),
    });
    assert.deepEqual(steps, [
      'pulling manifest',
      'pulling dde5aa3fc5ff 1009688688',
      'pulling dde5aa3fc5ff 2019377376',
      'success',
    ]);
    const installed = await client.installed();
    assert.ok(installed.some(({ name }) => name === 'qwen3:latest'));
  });

  it('makes a chat model ready at once, whatever was known before', async () => {
    const { client } = await open({ models: [] }, { statusKeepMs: 60_000 });
    const ready = async () => {
      const status = await client.status();
      return status.reachable && status.chatModelInstalled;
    };
    assert.equal(await ready(), false);
    await client.pull('llama3.2');
    assert.equal(await ready(), true);
  });

  const failures: [string, string, RegExp][] = [
    ['a name that there is not', 'pull model manifest: file does not exist', /no model "qwen3" to/],
    [
      'a server without the internet',
      'Get "https://registry.ollama.ai/v2/": dial tcp: lookup registry.ollama.ai: no such host',
      /can't reach its registry/,
    ],
    ['a full disk', 'write /root/.ollama/blobs/x: no space left on device', /disk .* is full/],
    ['anything else', 'digest mismatch', /could not pull "qwen3": digest mismatch/],
  ];
  for (const [title, error, sentence] of failures) {
    it(`says what to do about ${title}`, async () => {
      const { client } = await open({ pullEnds: { error } });
      const failure = await failureOf(client.pull('qwen3'));
      assert.match(failure.message, sentence);
    });
  }

  it('says that it goes on where it stopped when the connection ends', async () => {
    const { client } = await open({ pullEnds: 'broken' });
    const failure = await failureOf(client.pull('qwen3'));
    assert.equal(failure.failure, 'broke_off');
    assert.match(failure.message, /goes on where it stopped/);
  });

  it('gives up on a server that says nothing any more', async () => {
    const { client } = await open({ pullEnds: 'silent' }, { pullIdleMs: 30 });
    const failure = await failureOf(client.pull('qwen3'));
    assert.equal(failure.failure, 'too_slow');
  });

  it('ends with its caller, at the server too', async () => {
    const { ollama, client } = await open({ pullEnds: 'silent' });
    const caller = new AbortController();
    const pull = client.pull('qwen3', {
      signal: caller.signal,
      onProgress: () => caller.abort(new Error('left')),
    });
    await assert.rejects(pull, /left/);
    await ollama.until(() => ollama.aborted === 1);
  });
});
