import assert from 'node:assert/strict';
import { verifyCitations } from '../../src/answers/verify-citations.js';

describe('The citations of a model’s answer', () => {
  const cases: [string, string, string, number[]][] = [
    ['stay as they are when they hold', 'A [1]. B [2].', 'A [1]. B [2].', [1, 2]],
    [
      'are numbered in the order of their first use',
      'A [3]. B [1]. C [3].',
      'A [1]. B [2]. C [1].',
      [3, 1],
    ],
    ['are removed when they name no passage', 'A [9]. B [0]. C [4].', 'A. B. C.', []],
    ['are removed one by one', 'A [9][2].', 'A [1].', [2]],
    ['may stand in one bracket', 'A [1, 3; 9].', 'A [1][2].', [1, 3]],
    ['are said once in a bracket', 'A [2, 2].', 'A [1].', [2]],
    ['are no links of the model’s making', 'A [2](https://evil.example/x).', 'A [1].', [2]],
    ['vanish with the link that an invalid one carries', 'A [7](https://evil.example).', 'A.', []],
    ['may stand without a space', 'A[2].', 'A[1].', [2]],
    [
      'are none in code',
      'Run `argv[2]` [1]:\n```\nx = a[3]\n```',
      'Run `argv[2]` [1]:\n```\nx = a[3]\n```',
      [1],
    ],
    ['are none in code that has no end', '[1]\n```\na[2]', '[1]\n```\na[2]', [1]],
    ['are numbers alone', 'A [note] [1a] [1234] [-1].', 'A [note] [1a] [1234] [-1].', []],
    ['may be absent', ' Plain text. ', 'Plain text.', []],
  ];
  for (const [behaviour, text, expected, cited] of cases) {
    it(behaviour, () => {
      assert.deepEqual(verifyCitations(text, 3), { text: expected, cited });
    });
  }
});
