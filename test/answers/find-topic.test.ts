import assert from 'node:assert/strict';
import { questionsIn } from '../../src/answers/find-topic.js';
import { assertLinear } from '../support/assert-linear.js';

describe('The questions of a message', () => {
  it('are told apart at "and", however many blanks surround it', () => {
    const parts = ['How are pumps cleaned', 'where are filters stored?'];
    for (const between of [' and ', ', and ', '  and  ']) {
      assert.deepEqual(questionsIn(parts.join(between)), parts, JSON.stringify(between));
    }
  });

  it('are found in linear time, whatever the message holds', () => {
    for (const unit of [' ', '\n', '\n1', ' \n', ', ', 'and ']) {
      assertLinear((size) => questionsIn(`a${unit.repeat(size / unit.length)}b`), 200_000);
    }
  }).timeout(60_000);
});
