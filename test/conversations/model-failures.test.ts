import assert from 'node:assert/strict';
import { sendMessage } from '../../src/conversations/answering/running-answers.js';
import {
  startOllamaStandIn,
  type OllamaStandIn,
  type StandInBehaviour,
} from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type ConfigInput,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

/** Whatever a model server does to a question: what the asker gets, and what the sentence of a failure says. */
describe('A question whose model', () => {
  const reply = 'Backups are made every night [1]. And they';
  let ollama: OllamaStandIn;
  let test: TestApp;
  let acme: TestOrganization;

  const open = async (
    mode: 'auto' | 'ollama',
    behaviour: Partial<StandInBehaviour>,
    settings: ConfigInput['ollama'] = {},
  ) => {
    ollama = await startOllamaStandIn({ answer: () => reply, ...behaviour });
    test = await openTestApp({ answers: { mode }, ollama: { url: ollama.url, ...settings } });
    acme = await addOrganization(test);
    await storeEntry(test, acme, { title: 'Backups', content: 'Backups are made every night.' });
  };
  afterEach(async () => {
    await test.close();
    await ollama.stop();
  });
  const ask = async () => {
    const message = 'When are backups made?';
    const asked = { message, page: undefined, channel: 'api' as const };
    return (await sendMessage(test.app, acme.operator, asked)).answer;
  };

  interface Failure {
    title: string;
    behaviour: Partial<StandInBehaviour>;
    settings?: ConfigInput['ollama'];
    sentence: RegExp;
    /** Done once the server runs and has been seen. */
    then?: () => Promise<void>;
  }

  const before: Failure[] = [
    {
      title: 'does not run',
      behaviour: {},
      then: () => ollama.stop(),
      sentence: /does not answer at http.*the connection was refused.*ollama serve.*ollama\.url/,
    },
    {
      title: 'stands behind a proxy that does not reach it',
      behaviour: { proxyStatus: 502 },
      sentence: /^A proxy answers at http.* \(HTTP 502\), but there is no Ollama server behind it/,
    },
    {
      title: 'is another server',
      behaviour: { proxyStatus: 200 },
      sentence: /is not an Ollama server\. Check ollama\.url/,
    },
    {
      title: 'is not pulled',
      behaviour: { models: ['mistral:latest'] },
      sentence: /"llama3\.2" is not installed .*ollama pull llama3\.2$/,
    },
    {
      title: 'stays busy however often it is asked',
      behaviour: { busy: 1000 },
      sentence: /is busy: its queue is full.*OLLAMA_MAX_QUEUE/,
    },
    {
      title: 'does not fit into memory',
      behaviour: { refuse: { status: 500, reason: 'model requires more system memory (9.1 GiB)' } },
      sentence: /could not run "llama3\.2": model requires more system memory/,
    },
    {
      title: 'refuses a prompt that is too long for it',
      behaviour: {
        refuse: { status: 400, reason: 'the input length exceeds the context length' },
      },
      sentence: /longer than the context.*ollama\.num_ctx/,
    },
    {
      title: 'loads for longer than it may',
      behaviour: { stallAfter: 0 },
      settings: { first_token_timeout_ms: 60 },
      sentence: /did not begin an answer within 0\.06 s.*first_token_timeout_ms/,
    },
    {
      title: 'fails before its first word',
      behaviour: { errorAfter: 0, errorMessage: 'CUDA error: out of memory' },
      sentence: /failed while "llama3\.2" was answering: CUDA error: out of memory/,
    },
    {
      title: 'ends its answer before its first word',
      behaviour: { endAfter: 0 },
      sentence: /ended in the middle of the answer.*log of Ollama/,
    },
    {
      title: 'breaks the connection before its first word',
      behaviour: { resetAfter: 0 },
      sentence: /broke off|ended in the middle/,
    },
  ];
  for (const { title, behaviour, settings, sentence, then } of before) {
    it(`${title} is answered by quoting, or refused if the configuration requires the model`, async () => {
      await open('auto', behaviour, settings);
      await then?.();
      const answer = await ask();
      assert.deepEqual([answer.mode, answer.found, answer.complete], ['extractive', true, true]);
      assert.match(answer.text, /Backups are made every night\. \[1\]/);
      await test.close();
      await ollama.stop();
      await open('ollama', behaviour, settings);
      await then?.();
      await assert.rejects(ask(), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'model_unavailable');
        assert.match(error.message, sentence);
        assert.doesNotMatch(error.message, /<html|undefined|\n/);
        return true;
      });
    });
  }

  const amid: Omit<Failure, 'sentence'>[] = [
    {
      title: 'fails in the middle of its answer',
      behaviour: { errorAfter: 8, errorMessage: 'unexpected EOF' },
    },
    { title: 'ends in the middle of its answer', behaviour: { endAfter: 8 } },
    { title: 'breaks the connection in the middle of its answer', behaviour: { resetAfter: 8 } },
    {
      title: 'falls silent in the middle of its answer',
      behaviour: { stallAfter: 8 },
      settings: { idle_timeout_ms: 500 },
    },
    {
      title: 'takes too long in the middle of its answer',
      behaviour: { stallAfter: 8 },
      settings: { total_timeout_ms: 1200 },
    },
  ];
  for (const { title, behaviour, settings } of amid) {
    it(`${title} keeps the text so far, marked incomplete`, async () => {
      for (const mode of ['auto', 'ollama'] as const) {
        await open(mode, behaviour, settings);
        const answer = await ask();
        assert.deepEqual([answer.mode, answer.complete], ['ollama', false]);
        assert.match(answer.text, /^Backups are made every night \[1\]\. And they/);
        if (mode === 'auto') {
          await test.close();
          await ollama.stop();
        }
      }
    });
  }

  const harmless: Omit<Failure, 'sentence'>[] = [
    { title: 'is busy for a moment', behaviour: { busy: 2 } },
    { title: 'is cold and loads first', behaviour: { firstTokenDelayMs: 300 } },
    { title: 'sends its answer byte by byte', behaviour: { writeBytes: 1 } },
    { title: 'thinks before it answers', behaviour: { thinking: 'Backups? [7] Let me see.' } },
    { title: 'does not say how long its window is', behaviour: { contextLength: undefined } },
  ];
  for (const { title, behaviour } of harmless) {
    it(`${title} is still answered by the model`, async () => {
      const answer = () => 'Nachts, täglich 😀 [1].';
      await open('ollama', { ...behaviour, answer });
      const { text, mode, complete } = await ask();
      assert.deepEqual([text, mode, complete], ['Nachts, täglich 😀 [1].', 'ollama', true]);
    });
  }
});
