import assert from 'node:assert/strict';
import { questionsIn } from '../../src/answers/find-topic.js';

describe('The questions of a message', () => {
  it('are separated at “and”, however many spaces surround it', () => {
    const parts = ['How are pumps cleaned', 'where are filters stored?'];
    for (const between of [' and ', ', and ', '  and  ']) {
      assert.deepEqual(questionsIn(parts.join(between)), parts, JSON.stringify(between));
    }
  });
});
