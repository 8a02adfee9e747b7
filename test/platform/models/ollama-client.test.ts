import assert from 'node:assert/strict';
import { codeOf } from '../../../src/platform/errors.js';
import { configSchema } from '../../../src/platform/config/schema.js';
import { ollamaSettings } from '../../../src/platform/models/ollama-settings.js';
import { clients, failureOf, messages } from './open-client.js';

describe('A chat with the model', () => {
  const open = clients();

  describe('with an answer', () => {
    it('streams the text and returns all of it, with the server’s counts', async () => {
      const { client } = await open({ answer: () => 'It is so.' });
      const deltas: string[] = [];
      const answer = await client.chat({ messages, onText: (delta) => deltas.push(delta) });
      assert.deepEqual(answer, {
        text: 'It is so.',
        promptTokens: 4,
        completionTokens: 3,
        doneReason: 'stop',
        timing: { loadMs: 1, readMs: 1, writeMs: 3 },
      });
      assert.deepEqual(deltas, ['It', ' is', ' so.']);
    });

    it('sends the context window and keep_alive with each request', async () => {
      const { ollama, client } = await open();
      await client.chat({ messages, temperature: 0, maxTokens: 100 });
      const [chat] = ollama.chats;
      assert.deepEqual(chat, {
        model: 'llama3.2',
        messages,
        stream: true,
        keep_alive: '5m',
        options: { num_ctx: 8192, num_predict: 100, temperature: 0 },
      });
    });

    it('sends a keep_alive without a unit as a number, as Ollama requires', async () => {
      const sent = (keep_alive: string) =>
        ollamaSettings({ ...configSchema.parse({}).ollama, keep_alive }).keepAlive;
      assert.deepEqual(['-1', '0', '5m', '-1m'].map(sent), [-1, 0, '5m', '-1m']);
      const { ollama, client } = await open({}, { keepAlive: -1 });
      await client.chat({ messages });
      await client.embed({ input: ['x'], kind: 'query', model: 'nomic-embed-text' });
      const embedded = ollama.requests.find(({ path }) => path === '/api/embed');
      assert.equal(ollama.chats[0]?.keep_alive, -1);
      assert.equal((embedded?.body as { keep_alive?: unknown }).keep_alive, -1);
    });

    it('omits the thoughts of the model', async () => {
      const { client } = await open({ thinking: 'Let me think.', answer: () => 'Yes.' });
      const deltas: string[] = [];
      const { text } = await client.chat({ messages, onText: (delta) => deltas.push(delta) });
      assert.equal(text, 'Yes.');
      assert.deepEqual(deltas, ['Yes.']);
    });

    it('reports that the answer was cut at the maximum number of tokens', async () => {
      const { client } = await open({ answer: () => 'one two three four' });
      const answer = await client.chat({ messages, maxTokens: 2 });
      assert.equal(answer.text, 'one two');
      assert.equal(answer.doneReason, 'length');
    });

    it('sends a schema and returns the JSON as text', async () => {
      const { ollama, client } = await open();
      const format = { type: 'object', properties: { title: { type: 'string' } } };
      const { text } = await client.chat({ messages, format });
      assert.deepEqual(ollama.chats[0]?.format, format);
      assert.deepEqual(JSON.parse(text), { title: 'sample' });
    });

    it('reads characters and lines that arrive in parts', async () => {
      const text = 'Größe “naïve” 東京 😀\nzwei Zeilen';
      const { client } = await open({ answer: () => text, writeBytes: 1 });
      assert.equal((await client.chat({ messages })).text, text);
    });

    it('reports whether it waits in the queue or for the model', async () => {
      const { ollama, client } = await open({ stallAfter: 0 }, { concurrency: 1 });
      const waits: string[] = [];
      const ask = (name: string) =>
        client.chat({
          messages,
          onWaiting: (what, amount) => waits.push([name, what, amount].join(' ')),
        });
      const first = ask('first');
      await ollama.until(() => ollama.running === 1);
      const others = [ask('second'), ask('third')];
      const begun = ['first model 0', 'second queue 1', 'third queue 2'];
      assert.deepEqual(waits, begun);
      ollama.stallAfter = undefined;
      ollama.release();
      await Promise.all([first, ...others]);
      assert.deepEqual(waits, [...begun, 'third queue 1', 'second model 0', 'third model 0']);
    });

    it('reports repeatedly that it waits for a model that is being loaded', async () => {
      const { ollama, client } = await open({ stallAfter: 0 }, { loadingNoticeMs: 10 });
      const waits: string[] = [];
      const chat = client.chat({
        messages,
        onWaiting(what, seconds) {
          waits.push(`${what} ${seconds}`);
          if (waits.length < 4) return;
          ollama.stallAfter = undefined;
          ollama.release();
        },
      });
      assert.notEqual((await chat).text, '');
      assert.deepEqual(waits.slice(0, 4), ['model 0', 'model 0', 'model 0', 'model 0']);
    });

    it('ends if its listener for waiting fails', async () => {
      const { ollama, client } = await open({ stallAfter: 0 }, { loadingNoticeMs: 10 });
      let calls = 0;
      const chat = client.chat({
        messages,
        onWaiting() {
          calls += 1;
          if (calls > 1 && ollama.running === 1) throw new Error('bug');
        },
      });
      await assert.rejects(chat, /bug/);
      await ollama.until(() => ollama.aborted === 1);
    });

    it('passes on an error of its listener for text unchanged', async () => {
      const { client } = await open();
      const bug = new Error('bug');
      const chat = client.chat({
        messages,
        onText: () => {
          throw bug;
        },
      });
      await assert.rejects(chat, (error) => error === bug);
    });
  });

  describe('that is cancelled', () => {
    it('ends the request at the server', async () => {
      const { ollama, client } = await open({ stallAfter: 1 });
      const caller = new AbortController();
      const chat = client.chat({ messages, signal: caller.signal, onText: () => caller.abort() });
      await assert.rejects(chat, { name: 'AbortError' });
      await ollama.until(() => ollama.aborted === 1 && ollama.running === 0);
    });

    it('sends nothing for a caller who has already left', async () => {
      const { ollama, client } = await open();
      await assert.rejects(client.chat({ messages, signal: AbortSignal.abort() }), {
        name: 'AbortError',
      });
      assert.equal(ollama.requests.length, 0);
    });

    it('ends running and waiting calls when the service stops', async () => {
      const { ollama, client } = await open({ stallAfter: 0 }, { concurrency: 1 });
      const chats = [client.chat({ messages }), client.chat({ messages })];
      const ends = chats.map((chat) => chat.catch((error: unknown) => codeOf(error)));
      await ollama.until(() => ollama.running === 1);
      await client.close();
      assert.deepEqual(await Promise.all(ends), ['shutting_down', 'shutting_down']);
      await assert.rejects(client.chat({ messages }), { code: 'shutting_down' });
    });
  });

  describe('in the queue', () => {
    it('never exceeds the allowed number of chats at the same time', async () => {
      const { ollama, client } = await open({}, { concurrency: 2 });
      await Promise.all(Array.from({ length: 8 }, () => client.chat({ messages })));
      assert.equal(ollama.chats.length, 8);
      assert.equal(ollama.mostRunning, 2);
    });

    it('is served in order of arrival, without callers who left', async () => {
      const { ollama, client } = await open({ stallAfter: 0 }, { concurrency: 1 });
      const caller = new AbortController();
      const say = (content: string, signal?: AbortSignal) =>
        client.chat({ messages: [{ role: 'user', content }], ...(signal ? { signal } : {}) });
      const first = say('1');
      await ollama.until(() => ollama.running === 1);
      const left = say('2', caller.signal);
      const rest = [say('3'), say('4')];
      caller.abort(new Error('left'));
      await assert.rejects(left, /left/);
      ollama.stallAfter = undefined;
      ollama.release();
      await Promise.all([first, ...rest]);
      assert.deepEqual(
        ollama.chats.map((chat) => chat.messages[0]?.content),
        ['1', '3', '4'],
      );
    });

    it('counts its wait in the queue towards the total time limit', async () => {
      const { ollama, client } = await open(
        { stallAfter: 0 },
        { concurrency: 1, totalTimeoutMs: 60 },
      );
      const chats = [client.chat({ messages }), client.chat({ messages })];
      const errors = await Promise.all(chats.map(failureOf));
      assert.deepEqual(
        errors.map((error) => error.failure),
        ['too_slow', 'too_slow'],
      );
      assert.equal(ollama.chats.length, 1);
    });
  });
});
