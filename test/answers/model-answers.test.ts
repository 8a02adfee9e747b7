import assert from 'node:assert/strict';
import { answerQuestion } from '../../src/answers/answer-question.js';
import type { Turn } from '../../src/answers/question-context.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('An answer by the model', () => {
  let ollama: OllamaStandIn;
  let test: TestApp;
  let acme: TestOrganization;
  const question = 'When are the backups of the server made?';

  const open = async (mode: 'auto' | 'ollama', url = ollama.url) => {
    test = await openTestApp({ ollama: { url }, answers: { mode } });
    acme = await addOrganization(test);
    const store = (title: string, content: string) => storeEntry(test, acme, { title, content });
    await store('Backups', 'Backups of the server are made every night.');
    await store('Restoring', 'Backups of the server are made whole again by an administrator.');
    await store('Secrets', 'Backups of the server made here hold no passwords.');
  };
  const ask = (text = question, history: Turn[] = []) =>
    answerQuestion(test.app, {
      text,
      scope: {
        organizationId: acme.operator.organizationId,
        appId: acme.appId,
        tiers: ['public'],
      },
      place: undefined,
      page: undefined,
      history,
    });
  /** The titles of the passages as the last prompt numbers them. */
  const given = () =>
    [...(ollama.chats.at(-1)?.messages.at(-1)?.content ?? '').matchAll(/ title="(\w+)"/g)].map(
      (match) => match[1],
    );

  beforeEach(async () => {
    ollama = await startOllamaStandIn();
  });
  afterEach(async () => {
    await test.close();
    await ollama.stop();
  });

  it('returns its text, its token count and the cited sources', async () => {
    await open('auto');
    ollama.answer = () => 'They are made every night [1].';
    const answer = await ask();
    assert.equal(answer.text, 'They are made every night [1].');
    assert.deepEqual([answer.mode, answer.found], ['ollama', true]);
    assert.deepEqual(
      answer.sources.map(({ number, title }) => [number, title]),
      [[1, given()[0]]],
    );
    const [chat] = ollama.chats;
    const prompt = chat?.messages.reduce(
      (sum, { content }) => sum + Math.ceil(content.length / 4),
      0,
    );
    assert.equal(answer.units, (prompt ?? 0) + 6);
    assert.equal(chat?.options?.num_ctx, 8192);
    assert.equal(given().length, 3);
  });

  it('drops citations without a passage and renumbers the others', async () => {
    await open('auto');
    ollama.answer = () => 'At night [3][8], says [1](https://evil.example), not [0].';
    const answer = await ask();
    assert.equal(answer.text, 'At night [1], says [2], not.');
    assert.deepEqual(
      answer.sources.map(({ number, title }) => [number, title]),
      [
        [1, given()[2]],
        [2, given()[0]],
      ],
    );
  });

  it('without a finding becomes the standard sentence, without sources', async () => {
    await open('auto');
    ollama.answer = () => 'NOT_FOUND';
    const answer = await ask();
    assert.match(answer.text, /found no answer/);
    assert.deepEqual([answer.found, answer.mode, answer.sources], [false, 'ollama', []]);
    assert.ok(answer.units > 1, 'what the model read is paid for');
  });

  it('without citations is replaced by quoted knowledge', async () => {
    await open('auto');
    for (const text of ['They are made at noon.', 'At noon [7].', '', '[1]', ' [2] **[1]**.']) {
      ollama.answer = () => text;
      const answer = await ask();
      assert.deepEqual([answer.mode, answer.found], ['extractive', true]);
      assert.match(answer.text, /every night/);
      assert.ok(answer.sources.length > 0);
    }
    assert.equal(ollama.chats.length, 5);
  });

  it('is not requested if no relevant passage exists', async () => {
    await open('auto');
    const answer = await ask('Who painted the Sistine Chapel?');
    assert.deepEqual([answer.found, answer.sources], [false, []]);
    assert.deepEqual(ollama.chats, []);
  });

  const failures: Partial<OllamaStandIn>[] = [
    { refuse: { status: 500, reason: 'out of memory' } },
    { resetAfter: 0 },
    { errorAfter: 2 },
    { endAfter: 1 },
  ];
  const working = {
    refuse: undefined,
    resetAfter: undefined,
    errorAfter: undefined,
    endAfter: undefined,
  };

  it('that fails is replaced by a quoted answer', async () => {
    await open('auto');
    for (const failure of failures) {
      Object.assign(ollama, working, failure);
      const answer = await ask();
      assert.equal(answer.mode, 'extractive', JSON.stringify(failure));
      assert.match(answer.text, /every night/);
    }
  });

  it('that breaks off after a citation is kept and marked incomplete', async () => {
    for (const mode of ['auto', 'ollama'] as const) {
      await open(mode);
      ollama.answer = () =>
        'They are made every night [1]. And then there is more to be said of it.';
      ollama.endAfter = 9;
      const answer = await ask();
      assert.deepEqual([answer.mode, answer.complete], ['ollama', false]);
      assert.match(answer.text, /^They are made/);
      assert.equal(answer.sources.length, 1);
      if (mode === 'auto') await test.close();
    }
  });

  it('that fails is model_unavailable if only the model may answer', async () => {
    await open('ollama');
    for (const failure of failures) {
      Object.assign(ollama, working, failure);
      await assert.rejects(ask(), { code: 'model_unavailable' }, JSON.stringify(failure));
    }
  });

  it('contains no thoughts, for which the model has extra room', async () => {
    ollama.canThink = true;
    ollama.thinking = 'Let me see.';
    ollama.answer = () => 'They are made every night [1].';
    await open('auto');
    assert.equal((await ask()).text, 'They are made every night [1].');
    assert.deepEqual(
      [ollama.chats[0]?.think, ollama.chats[0]?.options?.num_predict],
      [false, 4096],
      'half of the window',
    );
  });

  it('is never replaced by a quoted one if only the model may answer', async () => {
    await open('ollama');
    for (const text of ['', '[1]', `<think>${'hm '.repeat(3000)}`, 'They are made at noon.']) {
      ollama.answer = () => text;
      await assert.rejects(ask(), { code: 'model_unavailable' });
    }
    ollama.answer = () => 'They are made every night.';
    assert.equal((await ask()).mode, 'ollama', 'what the knowledge bears out needs no number');
  });

  it('without a server or model is quoted in mode auto, else model_unavailable', async () => {
    await open('ollama', 'http://127.0.0.1:9');
    await assert.rejects(ask(), { code: 'model_unavailable', message: /127\.0\.0\.1:9/ });
    await test.close();
    ollama.models = ['other:latest'];
    await open('ollama');
    await assert.rejects(ask(), { code: 'model_unavailable', message: /ollama pull llama3\.2/ });
    await test.close();
    await open('auto');
    assert.equal((await ask()).mode, 'extractive');
    assert.deepEqual(ollama.chats, []);
  });

  it('is requested in the language of the question, with the earlier turns', async () => {
    await open('auto');
    ollama.answer = () => 'Jede Nacht [1].';
    await storeEntry(test, acme, {
      title: 'Sicherungen',
      content: 'Die Sicherungen des Servers werden jede Nacht gemacht.',
    });
    const history: Turn[] = [
      { role: 'user', content: 'Hallo' },
      { role: 'assistant', content: 'Guten Tag' },
    ];
    const answer = await ask('Wann werden die Sicherungen des Servers gemacht?', history);
    assert.deepEqual([answer.language, answer.text], ['de', 'Jede Nacht [1].']);
    const messages = ollama.chats[0]?.messages ?? [];
    assert.match(messages[0]?.content ?? '', /Answer in German/);
    assert.deepEqual(messages.slice(1, 3), history);
  });

  it('ends when the asker leaves, without a quoted replacement', async () => {
    await open('auto');
    ollama.stallAfter = 1;
    const gone = new AbortController();
    const asking = answerQuestion(test.app, {
      text: question,
      scope: { organizationId: acme.operator.organizationId, appId: acme.appId, tiers: ['public'] },
      place: undefined,
      page: undefined,
      history: [],
      signal: gone.signal,
    });
    await ollama.until(() => ollama.running === 1);
    gone.abort(new Error('gone'));
    await assert.rejects(asking, /gone/);
    await ollama.until(() => ollama.running === 0);
    assert.equal(ollama.aborted, 1);
  });
});
