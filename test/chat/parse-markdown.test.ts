import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Block, Inline } from '../../src/chat/markdown/blocks.js';
import { parseMarkdown } from '../../src/chat/markdown/parse-markdown.js';

/** A short notation of what was read: tags around text. */
function written(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => {
      if (node.type === 'text') return node.text;
      if (node.type === 'code') return `<code>${node.text}</code>`;
      if (node.type === 'break') return '<br>';
      if (node.type === 'citation') return `<cite>${node.number}</cite>${node.sign}`;
      const to = node.type === 'link' ? ` ${node.href}` : '';
      return `<${node.type}${to}>${written(node.children)}</${node.type}>`;
    })
    .join('');
}

function outline(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      if (block.type === 'paragraph') return `<p>${written(block.children)}</p>`;
      if (block.type === 'heading')
        return `<h${block.level}>${written(block.children)}</h${block.level}>`;
      if (block.type === 'code')
        return `<pre ${block.language}${written(block.cited)}>${block.text}</pre>`;
      if (block.type === 'quote') return `<quote>${outline(block.children)}</quote>`;
      if (block.type === 'rule') return '<hr>';
      if (block.type === 'item') return `<li>${outline(block.children)}</li>`;
      if (block.type === 'list') {
        const items = outline(block.children);
        return block.start === undefined ? `<ul>${items}</ul>` : `<ol ${block.start}>${items}</ol>`;
      }
      const row = (cells: Inline[][]) => `<tr>${cells.map((cell) => `|${written(cell)}`).join('')}`;
      return `<table${block.align.map((side) => side && ` ${side}`).join('')}>${[block.head, ...block.children].map(row).join('')}</table>`;
    })
    .join('');
}

const read = (text: string): string => outline(parseMarkdown(text));
const inline = (text: string): string => read(text).replace(/^<p>|<\/p>$/g, '');

function depthOf(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0;
  return 1 + Object.values(node).reduce<number>((most, part) => Math.max(most, depthOf(part)), 0);
}

/** Processor time, in milliseconds: what else the machine does is no matter. */
function time(work: () => void): number {
  const started = process.cpuUsage().user;
  work();
  return (process.cpuUsage().user - started) / 1000;
}

describe('Inline Markdown', () => {
  const cases: [string, string][] = [
    ['plain *em* and _em_', 'plain <em>em</em> and <em>em</em>'],
    ['**strong** and __strong__', '<strong>strong</strong> and <strong>strong</strong>'],
    ['***both***', '<em><strong>both</strong></em>'],
    ['**bold with *em* inside**', '<strong>bold with <em>em</em> inside</strong>'],
    ['**Note:**text goes on', '<strong>Note:</strong>text goes on'],
    ['~~gone~~ but ~ not ~', '<del>gone</del> but ~ not ~'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['**not closed', '**not closed'],
    ['a ** b ** c', 'a ** b ** c'],
    ['`code **kept**` and ``a ` b``', '<code>code **kept**</code> and <code>a ` b</code>'],
    ['` `` `', '<code>``</code>'],
    ['`never closed', '`never closed'],
    ['\\*literal\\* and \\[1\\]', '*literal* and [1]'],
    ['one  \ntwo\\\nthree\nfour', 'one<br>two<br>three\nfour'],
    ['says [1] and [2, 3] and [12]', 'says <cite>1</cite> and [2, 3] and <cite>12</cite>'],
    ['**claim [1]**', '<strong>claim <cite>1</cite></strong>'],
    ['[text](https://a.example/x)', '<link https://a.example/x>text</link>'],
    ['[t](https://a.example/x_(y) "title")', '<link https://a.example/x_(y)>t</link>'],
    ['[t](<https://a.example>)', '<link https://a.example>t</link>'],
    ['[**b**](mailto:a@b.example)', '<link mailto:a@b.example><strong>b</strong></link>'],
    ['[](https://a.example)', '<link https://a.example>https://a.example</link>'],
    ['[https://a.example](https://a.example)', '<link https://a.example>https://a.example</link>'],
    ['![alt](https://a.example/i.png)', '<link https://a.example/i.png>alt</link>'],
    [
      'see https://a.example/b(c).',
      'see <link https://a.example/b(c)>https://a.example/b(c)</link>.',
    ],
    ['(https://a.example)', '(<link https://a.example>https://a.example</link>)'],
    ['**https://a.example**', '<strong><link https://a.example>https://a.example</link></strong>'],
    ['<https://a.example>', '<link https://a.example>https://a.example</link>'],
    ['[1](https://a.example)', '<link https://a.example>1</link>'],
    ['<b>bold</b> <script>x</script>', '<b>bold</b> <script>x</script>'],
    ['&lt;b&gt; &amp;', '&lt;b&gt; &amp;'],
    ['a ] b [ c', 'a ] b [ c'],
  ];
  for (const [text, expected] of cases) {
    it(`parses ${JSON.stringify(text)}`, () => {
      assert.equal(inline(text), expected);
    });
  }

  const nowhere = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example',
    '/relative',
    '\u0001javascript:alert(1)',
    'java\u0000script:alert(1)',
    'https:',
    'blob:x',
  ];
  for (const address of nowhere) {
    it(`leaves a link to ${JSON.stringify(address)} as plain text`, () => {
      for (const text of [`[x](${address})`, `[x](<${address}>)`, `<${address}>`]) {
        assert.ok(!read(text).includes(`<link ${address}`), read(text));
        assert.ok(read(text).includes(address), read(text));
      }
    });
  }
});

describe('Markdown blocks', () => {
  const cases: [string, string][] = [
    ['one\ntwo\n\nthree', '<p>one\ntwo</p><p>three</p>'],
    ['# One\n### Three ###\n####### seven', '<h1>One</h1><h3>Three</h3><p>####### seven</p>'],
    ['## Using C#\n#hashtag', '<h2>Using C#</h2><p>#hashtag</p>'],
    ['text\n## Heading\nmore', '<p>text</p><h2>Heading</h2><p>more</p>'],
    ['- a\n- b\n\n- c', '<ul><li><p>a</p></li><li><p>b</p></li><li><p>c</p></li></ul>'],
    ['3. c\n4) d', '<ol 3><li><p>c</p></li></ol><ol 4><li><p>d</p></li></ol>'],
    ['text\n2024. A year', '<p>text\n2024. A year</p>'],
    ['Steps:\n1. one\n2. two', '<p>Steps:</p><ol 1><li><p>one</p></li><li><p>two</p></li></ol>'],
    [
      '1. one\n  - inner\n   more\n2. two',
      '<ol 1><li><p>one</p><ul><li><p>inner\nmore</p></li></ul></li><li><p>two</p></li></ol>',
    ],
    [
      '- a\n    - b\n        - c\n- d',
      '<ul><li><p>a</p><ul><li><p>b</p><ul><li><p>c</p></li></ul></li></ul></li><li><p>d</p></li></ul>',
    ],
    ['- a\nlazy\n\nout', '<ul><li><p>a\nlazy</p></li></ul><p>out</p>'],
    [
      '1. do\n\n   ```sh\n   ls\n     -l\n   ```\n2. done',
      '<ol 1><li><p>do</p><pre sh>ls\n  -l</pre></li><li><p>done</p></li></ol>',
    ],
    [
      '```ts\nconst a = **1**;\n\n<b>\n```\nafter',
      '<pre ts>const a = **1**;\n\n<b></pre><p>after</p>',
    ],
    ['```\nnot closed\n# yet', '<pre >not closed\n# yet</pre>'],
    ['~~~~\n```\n~~~\n~~~~', '<pre >```\n~~~</pre>'],
    [
      '> one\n> - two\nlazy\n\nout',
      '<quote><p>one</p><ul><li><p>two\nlazy</p></li></ul></quote><p>out</p>',
    ],
    ['a\n\n---\n\n* * *\nb', '<p>a</p><hr><hr><p>b</p>'],
    [
      '| a | b | c | d |\n|---|:-:|:--|-:|\n| 1 | `x\\|y` | 3 |\n| 2\n\nend',
      '<table center left right><tr>|a|b|c|d<tr>|1|<code>x|y</code>|3<tr>|2</table><p>end</p>',
    ],
    [
      'before\na | b\n--|--\n**c** | [1]',
      '<p>before</p><table><tr>|a|b<tr>|<strong>c</strong>|<cite>1</cite></table>',
    ],
    ['|\n|\nno table', '<p>|\n|\nno table</p>'],
    ['a | b\nno | table', '<p>a | b\nno | table</p>'],
    [
      'one\r\ntwo\r\n\r\n- a\r\n- b\r\n',
      '<p>one\ntwo</p><ul><li><p>a</p></li><li><p>b</p></li></ul>',
    ],
    ['```\r\nx\r\n```\r\n', '<pre >x</pre>'],
    ['', ''],
    [' \n\t\n', ''],
  ];
  for (const [text, expected] of cases) {
    it(`parses ${JSON.stringify(text)}`, () => {
      assert.equal(read(text), expected);
    });
  }
});

const pieces = fc.constantFrom(
  ...[
    'a',
    'b ',
    'é',
    '漢字',
    '😀',
    '\n',
    '\n\n',
    '  ',
    '\t',
    '*',
    '**',
    '***',
    '_',
    '__',
    '~~',
    '`',
    '``',
  ],
  ...[
    '```',
    '~~~',
    '[',
    ']',
    '(',
    ')',
    '![',
    '](',
    '](https://c.example)',
    '<',
    '>',
    '> ',
    '- ',
    '+ ',
    '1. ',
  ],
  ...[
    '# ',
    '## ',
    '|',
    '|---|',
    '| a |',
    '\\',
    '\\\n',
    '  \n',
    '---',
    '[1]',
    'https://d.example',
    '"',
    "'",
  ],
  ...['    ', '   ', ':', '.', '&lt;', '<b>', '\r\n', '2) ', '\u0000'],
);
const markdown = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''));

describe('Any Markdown', () => {
  it('keeps every letter in its order', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        // Titles of links are not shown, so that there are none here.
        const source = text.replace(/["']/g, '');
        const shown = read(source).replace(/<link (\S+)>\1</g, '$1<');
        const letters = (of: string) => of.match(/[é漢字😀]/gu)?.join('') ?? '';
        // The letters of an address stand behind those of its name.
        const sorted = (of: string) => Array.from(letters(of)).sort().join('');
        assert.equal(sorted(shown), sorted(source), JSON.stringify(source));
        if (!shown.includes('<link')) assert.equal(letters(shown), letters(source));
      }),
      { numRuns: 1_000 },
    );
  });

  it('parses a growing text as it parses the whole, and keeps completed blocks', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 1, max: 7 }), (text, step) => {
        let blocks: Block[] = [];
        for (let end = 0; end < text.length + step; end += step) {
          const before = blocks;
          blocks = parseMarkdown(text.slice(0, end), before);
          assert.deepEqual(blocks, parseMarkdown(text.slice(0, end)), JSON.stringify(text));
          for (const [index, block] of before.slice(0, -2).entries()) {
            assert.equal(blocks[index], block);
          }
        }
      }),
      { numRuns: 80 },
    );
  });

  it('puts the citations of a whole table into its last cell, and those of code into its head', () => {
    const table = '| A | B |\n|---|---|\n| 1 | 2 |';
    const cited = '<table><tr>|A|B<tr>|1|2 <cite>1</cite> <cite>2</cite>';
    for (const gap of ['\n', '\n\n']) {
      assert.equal(read(`${table}${gap}[1] [2]`), `${cited}</table>`);
      assert.equal(read(`${table}${gap}[1] [2]\n\nOn.`), `${cited}</table><p>On.</p>`);
      assert.equal(read(`\`\`\`sh\nls\n\`\`\`${gap}[3]`), '<pre sh <cite>3</cite>>ls</pre>');
    }
    assert.equal(read('|A|\n|-|\n[1]'), '<table><tr>|A <cite>1</cite></table>');
    // Within code it is code, and behind anything else, or with more on its line, it is a paragraph.
    assert.equal(read('```\n[1]\n```'), '<pre >[1]</pre>');
    assert.equal(read('# A\n[1]'), '<h1>A</h1><p><cite>1</cite></p>');
    assert.equal(
      read(`${table}\n\n[1] so`),
      `${cited.replace(/ <cite>.*/, '')}</table><p><cite>1</cite> so</p>`,
    );
  });

  it('has a bounded nesting depth', () => {
    for (const text of [
      '> '.repeat(5_000) + 'x',
      '- '.repeat(5_000) + 'x',
      '1. '.repeat(5_000) + 'x',
      '*a _b '.repeat(5_000) + 'c_ d* '.repeat(5_000),
      '*'.repeat(20_000) + 'x' + '*'.repeat(20_000),
      '['.repeat(20_000) + 'x' + ']'.repeat(20_000) + '(https://a.example)',
      '[a'.repeat(5_000) + '](https://a.example)'.repeat(5_000),
    ]) {
      assert.ok(depthOf(parseMarkdown(text)) < 60, text.slice(0, 20));
    }
  });

  it('is parsed in time proportional to its length', () => {
    const units = [
      ...[
        '*',
        '**a ',
        '*a _b ',
        '*a_ ',
        '_a*',
        '`',
        '` `` ',
        '[',
        '[a](',
        '[a](b "',
        '![',
        '](',
        '<',
        '<a',
        '> ',
        '- ',
      ],
      ...[
        '- a\n',
        '  - a\n',
        '>a\n',
        '1. a\n  2. b\n',
        '|',
        '| a ',
        '|\n',
        'a|b\n',
        '-|-\n',
        'a|b\n-|-\n',
        '#',
        '# ',
      ],
      ...[
        '# #',
        '```\n',
        '~~~\n```\n',
        '\n',
        ' ',
        ' \n',
        '\t',
        '\\',
        '(',
        ')',
        '[](()',
        '[1]',
        'https://',
        'https://a)',
        'a\n',
      ],
      ...[
        '~~a',
        '~',
        '- - ',
        '* *',
        '---\n',
        '[a](https://b.example)',
        '*a **b ',
        'a** b* ',
        '***a**b*',
        '](<',
        '<https://a',
      ],
    ];
    for (const unit of units) {
      const text = unit.repeat(Math.ceil(40_000 / unit.length));
      for (const whole of [text, text + '_*`]) x\n', `[a](${text}x`]) {
        const quarter = whole.slice(whole.length * 0.75);
        let rounds = 0;
        // Were it quadratic, the whole would take sixteen times as long, in every round.
        const grows = (): boolean => {
          const took = time(() => parseMarkdown(whole));
          return took > 100 && took > time(() => parseMarkdown(quarter)) * 10;
        };
        while (grows()) assert.ok((rounds += 1) < 8, JSON.stringify(unit));
      }
    }
  }).timeout(60_000);
});
