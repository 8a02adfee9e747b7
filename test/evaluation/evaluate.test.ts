import assert from 'node:assert/strict';
import { evaluateQuestions } from '../../src/evaluation/evaluate-questions.js';
import type { EvalQuestion } from '../../src/evaluation/eval-question.js';
import { createEntry } from '../../src/knowledge/create-entry.js';
import type { Visibility } from '../../src/platform/actor.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { manual } from '../support/sample-knowledge.js';

function ask(question: string, change: Partial<EvalQuestion> = {}): EvalQuestion {
  const open = { url: undefined, tier: undefined, language: undefined, unanswerable: false };
  return { line: 1, question, answers: [], expected: [], ...open, ...change };
}

describe('An evaluation', () => {
  let test: TestApp;
  let acme: TestOrganization;
  const uuids = new Map<string, string>();

  before(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
    const entries = [
      ...manual.map((entry) => ({ ...entry, visibility: 'public' as Visibility })),
      {
        title: 'Salaries',
        content: 'Salaries are paid on the 25th of each month.',
        visibility: 'internal' as Visibility,
      },
    ];
    for (const entry of entries) {
      const fields = { ...entry, domain: acme.domain, status: 'published' as const };
      const { uuid } = await createEntry(test.app, acme.operator, fields);
      uuids.set(entry.title, uuid);
    }
  });
  after(() => test.close());

  const evaluate = (questions: EvalQuestion[], input = {}) =>
    evaluateQuestions(test.app, acme.operator, { questions, concurrency: 1, ...input });

  it('finds an expected entry by uuid or title, and judges answer and citations', async () => {
    const filter = 'How often must the filter be cleaned?';
    const { results, missing } = await evaluate([
      ask(filter, { expected: ['Cleaning the filter'], answers: ['30 days'] }),
      ask(filter, { expected: [uuids.get('Cleaning the filter')?.toUpperCase() ?? ''] }),
      ask(filter, { expected: ['Backups'], answers: ['at noon'] }),
    ]);
    assert.deepEqual(missing, []);
    const [first, second, third] = results;
    assert.deepEqual(
      [first?.rank, first?.reply?.holdsAnswer, first?.reply?.citesRightly],
      [1, true, true],
    );
    assert.deepEqual(
      [second?.rank, second?.reply?.holdsAnswer, second?.reply?.citesRightly],
      [1, undefined, true],
    );
    assert.deepEqual([third?.reply?.holdsAnswer, third?.reply?.citesRightly], [false, false]);
    assert.equal(first?.language, 'en');
  });

  it('counts a missing expected entry as not found, and names it', async () => {
    const question = ask('How often must the filter be cleaned?', { line: 9, expected: ['Gone'] });
    const { results, missing } = await evaluate([question]);
    assert.equal(results[0]?.rank, null);
    assert.deepEqual(missing, [{ line: 9, name: 'Gone' }]);
  });

  it('asks with the lower tier of question and evaluation', async () => {
    const salaries = { expected: ['Salaries'] };
    const rankOf = async (tier?: Visibility, own?: Visibility) => {
      const question = ask('When are salaries paid?', { ...salaries, tier: own });
      const { results } = await evaluate([question], { tier });
      return [results[0]?.rank, results[0]?.reply?.refused];
    };
    assert.deepEqual(await rankOf(), [1, false]);
    assert.deepEqual(await rankOf('internal', 'authenticated'), [null, true]);
    assert.deepEqual(await rankOf('public', 'internal'), [null, true]);
    assert.deepEqual(await rankOf(undefined, 'internal'), [1, false]);
  });

  it('finds nothing internal on a page of another organization', async () => {
    const other = await addOrganization(test, 'Other');
    const url = `https://${other.domain}/`;
    const { results } = await evaluate([ask('When are salaries paid?', { url })]);
    assert.equal(results[0]?.reply?.refused, true);
  });

  it('stores no conversation, message or usage event', async () => {
    await evaluate([ask('How often must the filter be cleaned?')]);
    for (const table of ['conversations', 'messages', 'usage_events']) {
      assert.deepEqual(await test.app.db.read(table).select('*'), [], table);
    }
  });

  it('only searches with retrievalOnly', async () => {
    const question = ask('How often must the filter be cleaned?', { expected: ['Backups'] });
    const { results } = await evaluate([question], { retrievalOnly: true });
    assert.deepEqual([results[0]?.reply, results[0]?.answerMs], [undefined, undefined]);
  });

  it('continues after a failed question, and reports its error', async () => {
    const questions = [
      ask('How often must the filter be cleaned?', { url: 'no address' }),
      ask('How often must the filter be cleaned?'),
    ];
    const { results } = await evaluate(questions, { concurrency: 2 });
    assert.equal(results[0]?.error?.code, 'invalid_request');
    assert.equal(results[1]?.reply?.refused, false);
  });

  it('reports an error if a model is requested and none answers', async () => {
    const question = ask('How often must the filter be cleaned?');
    const { results } = await evaluate([question], { mode: 'ollama' });
    assert.equal(results[0]?.error?.code, 'model_unavailable');
    assert.equal(test.app.config.answers.mode, 'extractive');
  });

  it('returns its results so far when it is interrupted', async () => {
    const controller = new AbortController();
    const questions = [ask('One?'), ask('Two?'), ask('Three?')];
    const onResult = () => controller.abort();
    const { results } = await evaluate(questions, { signal: controller.signal, onResult });
    assert.equal(results.length, 1);
  });

  it('is refused without the right to write knowledge, and for an app of another organization', async () => {
    const questions = [ask('One?')];
    const input = { questions, concurrency: 1 };
    const { organizationId } = acme.operator;
    const user = { kind: 'user', organizationId, userId: 1, role: 'user' } as const;
    await assert.rejects(evaluateQuestions(test.app, user, input), { code: 'forbidden' });
    const anonymous = { kind: 'anonymous' } as const;
    await assert.rejects(evaluateQuestions(test.app, anonymous, input), {
      code: 'unauthenticated',
    });
    const third = await addOrganization(test, 'Third');
    await assert.rejects(evaluate(questions, { appId: third.appId }), { code: 'not_found' });
  });
});
