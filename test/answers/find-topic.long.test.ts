import { questionsIn } from '../../src/answers/find-topic.js';
import { assertLinear } from '../support/assert-linear.js';

describe('The questions of a very long message', () => {
  it('are found in linear time', () => {
    for (const unit of [' ', '\n', '\n1', ' \n', ', ', 'and ']) {
      assertLinear((size) => questionsIn(`a${unit.repeat(size / unit.length)}b`), 200_000);
    }
  }).timeout(60_000);
});
