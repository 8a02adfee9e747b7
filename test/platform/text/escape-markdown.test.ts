import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainText } from '../../../src/chat/markdown/plain-text.js';
import {
  escapeInline,
  escapeProse,
  withoutEscapes,
} from '../../../src/platform/text/escape-markdown.js';

/** What is shown of a table's first cell. */
const cellOf = (markdown: string) => {
  const table = `| ${markdown.replaceAll('|', '\\|')} | b |\n| --- | --- |`;
  return plainText(table).replace(/ \| b$/, '');
};

const parts = fc.constantFrom(
  ...['*', '**', '***', '_', '__', '`', '``', '```', '~', '~~', '~~~', '#', '>', '-', '+', '\\'],
  ...['[', ']', '(', ')', '<', '>', '|', '!', '.', ':', '"', ' ', ' ', 'a', 'é', '文', '1', '12.'],
  ...['http://a.example/', 'HTTP://b.example', '](https://c.example)', '<http://d.example>'],
  ...['<mailto:e@f.example>', '[^1]', '[2]', 'snake_case', '😀'],
);
const lines = fc
  .array(parts, { minLength: 1, maxLength: 14 })
  .map((all) => all.join('').trim())
  .filter((text) => text !== '');

describe('Prose as Markdown', () => {
  it('is shown as the same text in a paragraph', () => {
    fc.assert(
      fc.property(lines, (text) => {
        assert.equal(plainText(escapeProse(text)), text);
      }),
      { numRuns: 5000 },
    );
  });

  it('is shown as the same text in a list item, a heading and a cell', () => {
    fc.assert(
      fc.property(lines, (text) => {
        assert.equal(plainText(`- ${escapeProse(text)}`), `- ${text}`);
        assert.equal(plainText(`### a ${escapeInline(text)} b`), `a ${text} b`);
        assert.equal(cellOf(escapeInline(text)), text);
      }),
      { numRuns: 5000 },
    );
  });

  it('is itself again without the backslashes', () => {
    fc.assert(
      fc.property(lines, (text) => {
        assert.equal(withoutEscapes(escapeProse(text)), text);
      }),
      { numRuns: 5000, examples: [['<\\>*']] },
    );
  });

  const escaped: Record<string, string> = {
    'Set __init__ and *both* to ~~0~~.': '\\_\\_init__ and \\*both* to \\~\\~0~~.',
    'a*b*c': 'a\\*b*c',
    '`ls` or `dir`': '\\`ls\\` or \\`dir\\`',
    '# of users': '\\# of users',
    '> 3 V': '\\> 3 V',
    '***': '\\***',
    '12) Replace it': '12\\) Replace it',
    'C:\\_temp': 'C:\\\\_temp',
    'see <https://a.example/x_y_z>': 'see \\<https://a.example/x_y_z>',
    '[here](https://a.example)': '[here]\\(https://a.example)',
  };
  for (const [text, markdown] of Object.entries(escaped)) {
    it(`protects the signs of ${text}`, () => {
      assert.ok(escapeProse(text).endsWith(markdown), escapeProse(text));
    });
  }

  const plain = [
    'max_file_size and snake_case_name',
    '5 * 3 * 2, a * note, 10 ~ 20',
    'the `single one',
    '#include and C#',
    'https://a.example/x_y_z*a*',
    'a[^1] and [2], see (p. 3)',
    'C:\\Users\\me',
    '-v and --verbose',
    'if a < b and c > d, <int>',
  ];
  for (const text of plain) {
    it(`leaves ${text} as it is`, () => {
      assert.equal(escapeProse(text), text);
    });
  }
});
