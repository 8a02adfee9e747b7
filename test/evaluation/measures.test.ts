import assert from 'node:assert/strict';
import type { EvalQuestion, QuestionResult } from '../../src/evaluation/eval-question.js';
import { failedGates, measure, measureAll, percentile } from '../../src/evaluation/measures.js';
import { readQuestions } from '../../src/evaluation/read-questions.js';
import { containsAnswer } from '../../src/evaluation/put-question.js';

const question: EvalQuestion = {
  line: 1,
  question: 'How often?',
  answers: ['30 days'],
  expected: ['Filter'],
  url: undefined,
  tier: undefined,
  language: undefined,
  unanswerable: false,
};
const reply = { text: '30 days [1]', mode: 'extractive', refused: false };
const right = { ...reply, holdsAnswer: true, citesRightly: true };
const refused = { ...reply, refused: true, holdsAnswer: false, citesRightly: undefined };

function result(change: Partial<QuestionResult>): QuestionResult {
  const times = { searchMs: 1, answerMs: 2 };
  return { question, language: 'en', rank: 1, reply: right, error: undefined, ...times, ...change };
}

describe('The measures of an evaluation', () => {
  it('count ranks, answers, citations and refusals, each over the questions that have them', () => {
    const unanswerable = { ...question, answers: [], expected: [], unanswerable: true };
    const nothing = { holdsAnswer: undefined, citesRightly: undefined };
    const found = measure([
      result({}),
      result({ rank: 2, reply: { ...right, citesRightly: false } }),
      result({ rank: 10, reply: { ...right, holdsAnswer: false } }),
      result({ rank: null, reply: refused }),
      result({ question: unanswerable, rank: null, reply: { ...refused, ...nothing } }),
      result({ question: unanswerable, rank: null, reply: { ...right, ...nothing } }),
    ]);
    assert.equal(found.questions, 6);
    assert.equal(found.recall1, 1 / 4);
    assert.equal(found.recall5, 2 / 4);
    assert.equal(found.mrr10, (1 + 1 / 2 + 1 / 10) / 4);
    assert.equal(found.answered, 2 / 4);
    assert.equal(found.citations, 2 / 3);
    assert.equal(found.wrongRefusals, 1 / 4);
    assert.equal(found.rightRefusals, 1 / 2);
  });

  it('count a failed question as neither found nor answered', () => {
    const error = { code: 'model_unavailable', message: 'No model answers.' };
    const found = measure([result({}), result({ rank: null, reply: undefined, error })]);
    assert.deepEqual([found.failed, found.recall1, found.answered], [1, 0.5, 0.5]);
    assert.equal(found.wrongRefusals, 0);
  });

  it('are null if no question has them, and are given for each language', () => {
    const { all, languages } = measureAll([
      result({ reply: undefined, answerMs: undefined }),
      result({ language: 'de', rank: null, reply: undefined, answerMs: undefined }),
    ]);
    assert.equal(all.answered, null);
    assert.equal(all.answerP95Ms, null);
    assert.equal(all.recall1, 0.5);
    assert.deepEqual([languages['de']?.recall1, languages['en']?.recall1], [0, 1]);
  });

  it('give percentiles of times', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    assert.deepEqual([percentile(hundred, 0.5), percentile(hundred, 0.95)], [50, 95]);
    assert.deepEqual([percentile([7], 0.95), percentile([], 0.5)], [7, null]);
  });

  it('fail a gate that they miss, and one without a value', () => {
    const found = measure([result({}), result({ rank: 3 })]);
    const wanted = { 'min-recall1': 0.5, 'min-recall5': 1, 'min-mrr10': 0.7, 'max-p95-ms': 2 };
    assert.deepEqual(failedGates(found, wanted), [
      { gate: 'min-mrr10', wanted: 0.7, value: 2 / 3 },
    ]);
    assert.deepEqual(failedGates(found, { 'min-right-refusals': 0.1 }), [
      { gate: 'min-right-refusals', wanted: 0.1, value: null },
    ]);
    assert.deepEqual(failedGates(found, { 'max-p95-ms': 1.5 }), [
      { gate: 'max-p95-ms', wanted: 1.5, value: 2 },
    ]);
  });
});

describe('An expected answer', () => {
  it('is found regardless of case, spaces, punctuation and citations', () => {
    assert.ok(containsAnswer('Every “30  Days” [1].', '30 days'));
    assert.ok(containsAnswer('In the cellar [2]of the house.', 'the cellar of the house'));
    assert.ok(containsAnswer('Die Pumpe der Stadtwerke', 'stadtwerk'));
  });

  it('is not found inside a longer number or word', () => {
    assert.ok(!containsAnswer('In 1993.', '3'));
    assert.ok(!containsAnswer('It is cold.', 'old'));
    assert.ok(containsAnswer('On the 3rd day', '3'));
    assert.ok(!containsAnswer('Nothing of it.', '…'));
  });
});

describe('A set of questions', () => {
  it('is read with one or several answers, and keeps its line numbers across blank lines', () => {
    const text =
      '\uFEFF{"question":" Why? ","answers":"so","expected_entry":["A","B"]}\n\n{"question":"And?","unanswerable":true,"tier":"public","language":"de","url":"https://a.example/x"}\r\n';
    const [first, second] = readQuestions('set.jsonl', text);
    assert.deepEqual(first?.answers, ['so']);
    assert.deepEqual(first.expected, ['A', 'B']);
    assert.equal(first.question, 'Why?');
    assert.deepEqual([second?.line, second?.tier, second?.unanswerable], [3, 'public', true]);
  });

  it('is refused with the line and key of the fault', () => {
    const refusal = (text: string) => {
      try {
        readQuestions('set.jsonl', text);
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
      return 'not refused';
    };
    const good = '{"question":"Why?"}\n';
    assert.match(
      refusal(`${good}{"question":"Why?","answer":"so"}`),
      /set\.jsonl, line 2: answer:/,
    );
    assert.match(refusal(`${good}\n{"question":""}`), /line 3: question:/);
    assert.match(refusal('{"question":"Why?","tier":"all"}'), /line 1: tier:.*public/);
    assert.match(refusal('["Why?"]'), /line 1: .*got a list; expected an object/);
    assert.match(refusal('null'), /line 1: .*got null; expected an object/);
    assert.match(refusal('{"question":5}'), /line 1: question: got 5; expected a string/);
    assert.match(refusal('{"answers":"so"}'), /line 1: question: missing/);
    assert.match(refusal('{"question":"Why\\u0000?"}'), /line 1: question: holds a null character/);
    assert.match(refusal('{"question":"\\ud800?"}'), /line 1: question: holds half of a surrogate/);
    assert.match(refusal('Why?'), /line 1: is no JSON object/);
    assert.match(refusal('{"question":"Why?","answers":"so","unanswerable":true}'), /unanswerable/);
    assert.match(refusal('\n\n'), /holds no questions/);
  });
});
