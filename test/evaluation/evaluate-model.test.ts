import assert from 'node:assert/strict';
import { evaluateQuestions } from '../../src/evaluation/evaluate-questions.js';
import { measure } from '../../src/evaluation/measures.js';
import { readQuestions } from '../../src/evaluation/read-questions.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import { addOrganization, openTestApp, type TestApp } from '../support/test-app.js';

const set = JSON.stringify({
  question: 'When are the backups of the server made?',
  answers: 'every night',
  expected_entry: 'Backups',
});

describe('An evaluation of a model’s answers', () => {
  let ollama: OllamaStandIn;
  let test: TestApp;
  let evaluate: () => ReturnType<typeof evaluateQuestions>;

  beforeEach(async () => {
    ollama = await startOllamaStandIn();
    test = await openTestApp({ ollama: { url: ollama.url }, answers: { mode: 'extractive' } });
    const acme = await addOrganization(test);
    const content = 'Backups of the server are made every night.';
    await storeEntry(test, acme, { title: 'Backups', content });
    evaluate = () =>
      evaluateQuestions(test.app, acme.operator, {
        questions: readQuestions('set', set),
        mode: 'ollama',
        concurrency: 1,
      });
  });
  afterEach(async () => {
    await test.close();
    await ollama.stop();
  });

  it('judges the model’s text and citations in the requested mode', async () => {
    ollama.answer = () => 'They are made every night [1].';
    const { results } = await evaluate();
    assert.equal(results[0]?.reply?.mode, 'ollama');
    assert.deepEqual([measure(results).answered, measure(results).citations], [1, 1]);
    ollama.answer = () => 'They are made at noon [1].';
    assert.equal(measure((await evaluate()).results).answered, 0);
  });

  it('counts an answer that breaks off as failed', async () => {
    ollama.answer = () => 'They are made every night [1]. '.repeat(20);
    ollama.errorAfter = 10;
    const { results } = await evaluate();
    assert.equal(results[0]?.error?.code, 'model_unavailable');
    assert.equal(measure(results).failed, 1);
  });
});
