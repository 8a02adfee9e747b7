import assert from 'node:assert/strict';
import { plainExcerpt } from '../../src/chat/view/plain-excerpt.js';

describe('The excerpt of a source', () => {
  const cases: Record<string, [string, string]> = {
    'a block of code': [
      'Run: ``` apt install heron ``` as root.',
      'Run: apt install heron as root.',
    ],
    'the language of one': ['Run ```sh apt install heron ``` now', 'Run apt install heron now'],
    'a fence whose end was cut off': ['Run ```sh apt install…', 'Run apt install…'],
    'a fence whose beginning was cut off': [
      '…install heron ``` Then log in.',
      '…install heron Then log in.',
    ],
    'emphasis, code and links': [
      'A **bold** `word` of [the guide](https://docs.example/a), *see* there.',
      'A bold word of the guide, see there.',
    ],
    'nothing of a text without signs': [
      'Costs 3 * 4 = 12 [2] a_b_c.',
      'Costs 3 * 4 = 12 [2] a_b_c.',
    ],
  };
  for (const [what, [excerpt, shown]] of Object.entries(cases))
    it(`is shown without the Markdown signs of ${what}`, () => {
      assert.equal(plainExcerpt(excerpt), shown);
    });
});
