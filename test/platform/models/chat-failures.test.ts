import assert from 'node:assert/strict';
import { clients, failureOf, messages } from './open-client.js';

describe('A failing chat', () => {
  const open = clients();

  describe('before the first token', () => {
    it('reports how to start a server that does not run', async () => {
      const { ollama, client } = await open();
      await ollama.stop();
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'not_running');
      assert.match(error.message, /does not answer at http.*refused.*ollama serve/);
      assert.equal(error.partialText, '');
    });

    it('reports a proxy without an Ollama server, and shows nothing of its page', async () => {
      const { client } = await open({ proxyStatus: 502 });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'not_running');
      assert.match(error.message, /proxy.*HTTP 502/);
      assert.doesNotMatch(error.message, /html|nginx/);
    });

    it('reports a web page with status 200 as another server', async () => {
      const { client } = await open({ proxyStatus: 200 });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'not_ollama');
    });

    it('names the command that pulls a missing model', async () => {
      const { client } = await open({ models: ['other:latest'] });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'model_missing');
      assert.match(error.message, /ollama pull llama3\.2$/);
    });

    it('passes on the reason why the server can’t run the model', async () => {
      const { client } = await open({
        refuse: {
          status: 500,
          reason: 'model requires more system memory (9.1 GiB) than is available',
        },
      });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'refused');
      assert.match(error.message, /more system memory \(9\.1 GiB\)/);
    });

    it('distinguishes a prompt that is too long from other refusals', async () => {
      const { client } = await open({
        refuse: { status: 400, reason: 'the input length exceeds the context length' },
      });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'prompt_too_long');
      assert.match(error.message, /num_ctx/);
    });

    it('is repeated while the server is busy', async () => {
      const { ollama, client } = await open({ busy: 3 });
      const { text } = await client.chat({ messages });
      assert.notEqual(text, '');
      assert.equal(ollama.chats.length, 4);
    });

    it('gives up after five attempts if the server stays busy', async () => {
      const { ollama, client } = await open({ busy: 100 });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'busy');
      assert.equal(ollama.chats.length, 5);
    });

    it('stops waiting for a busy server when the caller leaves', async () => {
      const { ollama, client } = await open({ busy: 100 }, { busyRetryMs: 60_000 });
      const caller = new AbortController();
      const chat = client.chat({ messages, signal: caller.signal });
      await ollama.until(() => ollama.chats.length === 1);
      caller.abort(new Error('gone'));
      await assert.rejects(chat, /gone/);
      assert.equal(ollama.chats.length, 1);
    });

    it('ends its wait for the first token after a time limit, together with the request', async () => {
      const { ollama, client } = await open({ stallAfter: 0 }, { firstTokenTimeoutMs: 30 });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'too_slow');
      assert.match(error.message, /first_token_timeout_ms/);
      await ollama.until(() => ollama.aborted === 1);
    });
  });

  describe('in the middle of an answer', () => {
    const answer = () => 'one two three';

    it('keeps the text before an error line', async () => {
      const { client } = await open({ answer, errorAfter: 2, errorMessage: 'out of memory' });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'broke_off');
      assert.equal(error.partialText, 'one two');
      assert.match(error.message, /out of memory/);
    });

    it('keeps the text of an answer without an end', async () => {
      const { client } = await open({ answer, endAfter: 1 });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'broke_off');
      assert.equal(error.partialText, 'one');
    });

    it('keeps the text before the connection broke', async () => {
      const { client } = await open({ answer, resetAfter: 1 });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'broke_off');
      assert.equal(error.partialText, 'one');
    });

    it('ends after a long silence, together with the request', async () => {
      const { ollama, client } = await open({ answer, stallAfter: 2 }, { idleTimeoutMs: 1000 });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'too_slow');
      assert.equal(error.partialText, 'one two');
      assert.match(error.message, /idle_timeout_ms/);
      await ollama.until(() => ollama.aborted === 1);
    });

    it('ends an answer that takes too long in total', async () => {
      const { client } = await open({ answer, stallAfter: 1 }, { totalTimeoutMs: 2000 });
      const error = await failureOf(client.chat({ messages }));
      assert.match(error.message, /total_timeout_ms/);
      assert.equal(error.partialText, 'one');
    });
  });
});
