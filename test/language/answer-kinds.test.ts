import assert from 'node:assert/strict';
import { holdsKind, kindSignsOf, signsHoldKind } from '../../src/language/answer-kinds.js';
import { answerKinds } from '../../src/language/language-pack.js';
import { queryTerms } from '../../src/language/analyze.js';

describe('The stored signs of a sentence', () => {
  const sentences = [
    'It was built by George Miller in 1975.',
    'The pump runs for three hours, every day.',
    'It stops because the filter is full.',
    'There are pumps, filters and lamps.',
    'Press the red key to open it.',
    'Nothing of that.',
  ];

  it('show the same kinds of answer as the sentence itself', () => {
    const none = { names: 0, numbers: 0 };
    for (const sentence of sentences) {
      const signs = kindSignsOf(sentence);
      for (const kind of answerKinds.filter((one) => one !== 'meaning')) {
        const fromSigns = signsHoldKind(signs, kind, none);
        assert.equal(fromSigns, holdsKind(kind, sentence, ''), `${kind}: ${sentence}`);
      }
    }
  });

  it('do not count a name or number that the question already contains', () => {
    const signs = kindSignsOf('It was built by Miller in 12 days.');
    assert.equal(signsHoldKind(signs, 'person', { names: 1, numbers: 0 }), false);
    assert.equal(signsHoldKind(signs, 'number', { names: 0, numbers: 1 }), false);
  });

  it('fit into 15 bits', () => {
    const text = sentences.join(' ');
    assert.ok(answerKinds.length + 4 <= 15);
    assert.ok(kindSignsOf(text) < 1 << (answerKinds.length + 4));
  });
});

describe('A capitalized word of a question', () => {
  const capitalized = (question: string) =>
    queryTerms(question).flatMap((term) => (term.isCapitalized === true ? [term.text] : []));

  it('is recognized unless it begins a sentence', () => {
    assert.deepEqual(capitalized('When was Bagdad built? Who built it?'), ['bagdad']);
    assert.deepEqual(capitalized('¿Quién vio a Doctor Who?'), ['doctor', 'who']);
  });

  it('is recognized after a comma, a quotation mark and a bracket', () => {
    assert.deepEqual(capitalized('did "Apollo" (Saturn), Gemini fly'), [
      'apollo',
      'saturn',
      'gemini',
    ]);
  });
});
