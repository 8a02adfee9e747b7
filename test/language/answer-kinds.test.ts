import assert from 'node:assert/strict';
import { holdsKind, kindSignsOf, signsHoldKind } from '../../src/language/answer-kinds.js';
import { answerKinds } from '../../src/language/language-pack.js';
import { queryTerms } from '../../src/language/analyze.js';

describe('The signs of a sentence that answers are told by', () => {
  const sentences = [
    'It was built by George Miller in 1975.',
    'The pump runs for three hours, every day.',
    'It stops because the filter is full.',
    'There are pumps, filters and lamps.',
    'Press the red key to open it.',
    'Nothing of that.',
  ];

  it('tell the kinds that the sentence itself tells', () => {
    const none = { names: 0, numbers: 0 };
    for (const sentence of sentences) {
      const signs = kindSignsOf(sentence);
      for (const kind of answerKinds.filter((one) => one !== 'meaning')) {
        const told = signsHoldKind(signs, kind, none);
        assert.equal(told, holdsKind(kind, sentence, ''), `${kind}: ${sentence}`);
      }
    }
  });

  it('count a name or a number of the question for no answer', () => {
    const signs = kindSignsOf('It was built by Miller in 12 days.');
    assert.equal(signsHoldKind(signs, 'person', { names: 1, numbers: 0 }), false);
    assert.equal(signsHoldKind(signs, 'number', { names: 0, numbers: 1 }), false);
  });

  it('fit in the bits that are kept of them', () => {
    const text = sentences.join(' ');
    assert.ok(answerKinds.length + 4 <= 15);
    assert.ok(kindSignsOf(text) < 1 << (answerKinds.length + 4));
  });
});

describe('A word of a question with a capital letter', () => {
  const capitalized = (question: string) =>
    queryTerms(question).flatMap((term) => (term.isCapitalized === true ? [term.text] : []));

  it('is told from the first word of a sentence', () => {
    assert.deepEqual(capitalized('When was Bagdad built? Who built it?'), ['bagdad']);
    assert.deepEqual(capitalized('¿Quién vio a Doctor Who?'), ['doctor', 'who']);
  });

  it('is found behind a comma, a quote and a bracket', () => {
    assert.deepEqual(capitalized('did "Apollo" (Saturn), Gemini fly'), [
      'apollo',
      'saturn',
      'gemini',
    ]);
  });
});
