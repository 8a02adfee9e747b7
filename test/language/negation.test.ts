import { turnsRound } from '../../src/language/negation.js';
import { assertLinear } from '../support/assert-linear.js';

describe('Comparing the negation of two texts', () => {
  it('takes linear time if they repeat one statement', () => {
    assertLinear((size) => turnsRound('1,'.repeat(size), '1,'.repeat(size)), 8000);
  });
});
