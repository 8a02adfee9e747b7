import assert from 'node:assert/strict';
import { clients, failureOf, messages } from './open-client.js';

describe('a chat that fails', () => {
  const open = clients();

  describe('failures before the first token', () => {
    it('says how to start a server that does not run', async () => {
      const { ollama, client } = await open();
      await ollama.stop();
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'not_running');
      assert.match(error.message, /does not answer at http.*refused.*ollama serve/);
      assert.equal(error.partialText, '');
    });

    it('says that a proxy has no Ollama behind it, and shows none of its page', async () => {
      const { client } = await open({ proxyStatus: 502 });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'not_running');
      assert.match(error.message, /proxy.*HTTP 502/);
      assert.doesNotMatch(error.message, /html|nginx/);
    });

    it('takes a page with status 200 for what it is', async () => {
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

    it('passes on why the server cannot run the model', async () => {
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

    it('tells a prompt that is too long from other refusals', async () => {
      const { client } = await open({
        refuse: { status: 400, reason: 'the input length exceeds the context length' },
      });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'prompt_too_long');
      assert.match(error.message, /num_ctx/);
    });

    it('tries again while the server is busy', async () => {
      const { ollama, client } = await open({ busy: 3 });
      const { text } = await client.chat({ messages });
      assert.notEqual(text, '');
      assert.equal(ollama.chats.length, 4);
    });

    it('gives up on a server that stays busy', async () => {
      const { ollama, client } = await open({ busy: 100 });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'busy');
      assert.equal(ollama.chats.length, 5);
    });

    it('stops waiting for a busy server when the caller goes', async () => {
      const { ollama, client } = await open({ busy: 100 }, { busyRetryMs: 60_000 });
      const caller = new AbortController();
      const chat = client.chat({ messages, signal: caller.signal });
      await ollama.until(() => ollama.chats.length === 1);
      caller.abort(new Error('gone'));
      await assert.rejects(chat, /gone/);
      assert.equal(ollama.chats.length, 1);
    });

    it('ends a wait for the first token, and the request with it', async () => {
      const { ollama, client } = await open({ stallAfter: 0 }, { firstTokenTimeoutMs: 30 });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'too_slow');
      assert.match(error.message, /first_token_timeout_ms/);
      await ollama.until(() => ollama.aborted === 1);
    });
  });

  describe('failures in the middle of an answer', () => {
    const answer = () => 'one two three';

    it('keeps what had arrived before an error line', async () => {
      const { client } = await open({ answer, errorAfter: 2, errorMessage: 'out of memory' });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'broke_off');
      assert.equal(error.partialText, 'one two');
      assert.match(error.message, /out of memory/);
    });

    it('keeps what had arrived when the answer has no end', async () => {
      const { client } = await open({ answer, endAfter: 1 });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'broke_off');
      assert.equal(error.partialText, 'one');
    });

    it('keeps what had arrived when the connection breaks', async () => {
      const { client } = await open({ answer, resetAfter: 1 });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'broke_off');
      assert.equal(error.partialText, 'one');
    });

    it('ends a silence, and the request with it', async () => {
      const { ollama, client } = await open({ answer, stallAfter: 2 }, { idleTimeoutMs: 1000 });
      const error = await failureOf(client.chat({ messages }));
      assert.equal(error.failure, 'too_slow');
      assert.equal(error.partialText, 'one two');
      assert.match(error.message, /idle_timeout_ms/);
      await ollama.until(() => ollama.aborted === 1);
    });

    it('ends an answer that takes too long in all', async () => {
      const { client } = await open({ answer, stallAfter: 1 }, { totalTimeoutMs: 2000 });
      const error = await failureOf(client.chat({ messages }));
      assert.match(error.message, /total_timeout_ms/);
      assert.equal(error.partialText, 'one');
    });
  });
});
