import assert from 'node:assert/strict';
import { wordsOf } from '../../src/retrieval/passage-words.js';
import { openTestApp, type TestApp } from '../support/test-app.js';

describe('The words of a passage', () => {
  let test: TestApp;
  beforeEach(async () => (test = await openTestApp()));
  afterEach(() => test.close());

  it('are remembered for as long as title and text are the same', () => {
    const first = wordsOf(test.app, { title: 'Pumps', body: 'A valve leaks.' });
    assert.ok(first.has('valv') || first.has('valve'));
    assert.equal(wordsOf(test.app, { title: 'Pumps', body: 'A valve leaks.' }), first);
    const changed = wordsOf(test.app, { title: 'Pumps', body: 'A gauge leaks.' });
    assert.ok(!changed.has('valv') && !changed.has('valve'));
    assert.notEqual(wordsOf(test.app, { title: 'Fans', body: 'A valve leaks.' }), first);
  });

  it('are remembered for one application, not for the next', async () => {
    const passage = { title: 'Pumps', body: 'A valve leaks.' };
    const other = await openTestApp();
    try {
      assert.notEqual(wordsOf(other.app, passage), wordsOf(test.app, passage));
      assert.deepEqual(wordsOf(other.app, passage), wordsOf(test.app, passage));
    } finally {
      await other.close();
    }
  });

  it('make room for others: those that were not asked for the longest are forgotten', () => {
    const body = (number: number) =>
      Array.from({ length: 1000 }, (_, word) => `w${number}x${word}`).join(' ');
    const of = (number: number) => wordsOf(test.app, { title: '', body: body(number) });
    const [kept, forgotten] = [of(0), of(1)];
    for (let number = 2; number < 450; number++) {
      of(number);
      if (number % 50 === 0) of(0);
    }
    assert.equal(of(0), kept);
    assert.notEqual(of(1), forgotten);
    assert.deepEqual(of(1), forgotten);
  });
});
