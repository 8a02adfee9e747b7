import assert from 'node:assert/strict';
import { isEmptied, replaceInTexts } from '../../src/ingestion/review/exchange-text.js';
import { assertLinear } from '../support/assert-linear.js';

const foot = 'Back to the contents';

describe('Taking a text out of a draft', () => {
  const without = (content: string, find = foot, wholeLines = false) =>
    replaceInTexts({ title: 'T', content }, { find, replacement: '', wholeLines }).content;

  it('takes the line with it when nothing else stands there', () => {
    assert.equal(without(`One.\n\n${foot}\n\nTwo.`), 'One.\n\nTwo.');
    assert.equal(without(`One\n${foot}\ntwo.`), 'One\ntwo.');
    assert.equal(without(`- One\n- ${foot}\n- [ ] ${foot}\n- Two`), '- One\n- Two');
    assert.equal(without(`One.\n\n## ${foot}\n\n> ${foot}\n\nTwo.`), 'One.\n\nTwo.');
    assert.equal(without(`One.\n\n${foot}\nTwo.`), 'One.\n\nTwo.');
    assert.equal(without(`One.\n\nA\nB\n\nTwo.`, 'A\nB'), 'One.\n\nTwo.');
  });

  it('takes emphasis, links and blanks with it that would be left around nothing', () => {
    assert.equal(without(`One.\n\n[${foot}](#a(b))\n\nTwo.`), 'One.\n\nTwo.');
    assert.equal(without(`One. **[${foot}](#top)** Two.`), 'One. Two.');
    assert.equal(without(`One. [_${foot}_][top]`), 'One.');
    assert.equal(without(`${foot} One.\n   ${foot} two.`), 'One.\n   two.');
    assert.equal(
      without(`See [all of ${foot}](#top), ![${foot}](a.png).`),
      'See [all of](#top), ![](a.png).',
    );
    assert.equal(without('a ** b ** c ****', 'b'), 'a c ****');
  });

  it('takes a row of a table with it that has no other words, and the table with its last words', () => {
    const table = (...rows: string[]) => ['| A | B |', '| --- | --- |', ...rows].join('\n');
    assert.equal(without(table(`| ${foot} | |`, '| 1 | 2 |')), table('| 1 | 2 |'));
    assert.equal(without(table(`| ${foot} | 1 |`)), table('| | 1 |'));
    const headed = `| ${foot} |\n| --- |\n| 1 |`;
    assert.equal(without(headed), '|  |\n| --- |\n| 1 |');
    assert.equal(without(`One.\n\n| ${foot} |\n|---|\n| *${foot}* |\n\nTwo.`), 'One.\n\nTwo.');
  });

  it('leaves the words within a line or a title, when asked for whole lines', () => {
    const draft = { title: 'Acme › About Acme', content: 'Acme\n\nBy Acme, Inc.\n\n- **Acme**' };
    const exchange = { find: 'Acme', replacement: '', wholeLines: true };
    assert.deepEqual(replaceInTexts(draft, exchange), {
      title: 'About Acme',
      content: 'By Acme, Inc.\n',
    });
    const renamed = replaceInTexts(draft, { ...exchange, replacement: 'Globex' });
    assert.equal(renamed.content, 'Globex\n\nBy Acme, Inc.\n\n- **Globex**');
  });

  it('leaves all other lines as they are', () => {
    const code = '```\na\n\n\nb  \n```';
    assert.equal(without(`${code}\n\nOne. ${foot}`), `${code}\n\nOne.`);
    assert.equal(without(`One.\n\n\n${code}\n\n${foot}`), `One.\n\n\n${code}\n`);
    assert.equal(without('```\nx = **y**  z\n```', 'y'), '```\nx = ****  z\n```');
    assert.equal(without(`a\uFFFFb\n${foot}`), 'ab');
    const marks = '****\n\n[](a)\n\n|  |\n|---|\n\n- ';
    assert.equal(without(`${marks}\n\nOne, ${foot}, two.`), `${marks}\n\nOne, , two.`);
  });

  it('takes a time that grows with the text alone', () => {
    for (const part of [`[${foot}](`, '`', '* ', '[ ', '(', '> ', '|-', '\t']) {
      const content = `${part.repeat(300_000 / part.length)}${foot}`;
      assert.ok(without(content).length <= content.length);
    }
    for (const part of ['\t', '| ', '> ', `${foot} `]) {
      const line = (size: number) => `${foot}|${part.repeat(size / part.length)}${foot}x`;
      assertLinear((size) => without(line(size)), 200_000);
      assertLinear((size) => without(line(size).slice(foot.length)), 200_000);
    }
    assertLinear((size) => without(`| ${foot} |\n|${'-'.repeat(size)}x`), 200_000);
  }).timeout(20_000);

  it('tells when nothing but headings would be left', () => {
    const draft = (content: string) => ({ title: 'T', content });
    assert.ok(isEmptied(draft(`## A\n\n${foot}`), draft('## A\n')));
    assert.ok(!isEmptied(draft(`## A\n\n${foot} B`), draft('## A\n\nB')));
    assert.ok(!isEmptied(draft('## A'), draft('## B')));
  });
});
