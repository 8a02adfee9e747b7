import assert from 'node:assert/strict';
import { clients, failureOf } from './open-client.js';

describe('Pulling a model', () => {
  const open = clients();

  it('reports its progress, and ends when the model is installed', async () => {
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

  it('makes a chat model available at once, in spite of the cached status', async () => {
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
    ['an unknown name', 'pull model manifest: file does not exist', /no model "qwen3" to/],
    [
      'a server without internet access',
      'Get "https://registry.ollama.ai/v2/": dial tcp: lookup registry.ollama.ai: no such host',
      /can't reach its registry/,
    ],
    ['a full disk', 'write /root/.ollama/blobs/x: no space left on device', /disk .* is full/],
    ['any other failure', 'digest mismatch', /could not pull "qwen3": digest mismatch/],
  ];
  for (const [title, error, sentence] of failures) {
    it(`reports the cause for ${title}`, async () => {
      const { client } = await open({ pullEnds: { error } });
      const failure = await failureOf(client.pull('qwen3'));
      assert.match(failure.message, sentence);
    });
  }

  it('says that a pull after a broken connection continues where it stopped', async () => {
    const { client } = await open({ pullEnds: 'broken' });
    const failure = await failureOf(client.pull('qwen3'));
    assert.equal(failure.failure, 'broke_off');
    assert.match(failure.message, /goes on where it stopped/);
  });

  it('gives up on a server that has become silent', async () => {
    const { client } = await open({ pullEnds: 'silent' }, { pullIdleMs: 30 });
    const failure = await failureOf(client.pull('qwen3'));
    assert.equal(failure.failure, 'too_slow');
  });

  it('ends when its caller leaves, also at the server', async () => {
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
