import assert from 'node:assert/strict';
import { decodeText } from '../../src/documents/decode-text.js';
import { placesOf, read, textOf } from './read.js';

describe('A plain text', () => {
  it('has headings that are underlined, numbered or in capitals', async () => {
    const text = 'Router\n======\n\nOne.\n\nReset\n-----\n\nTwo.\n\n';
    assert.deepEqual(await placesOf('text', text), [
      ['Router', 'router'],
      ['Router › Reset', 'reset'],
    ]);
    assert.deepEqual(
      await placesOf('text', '1. Start\n\nOne.\n\n1.1 Why is it so?\n\nTwo.\n\n2. End\n\nThree.'),
      [
        ['Start', 'start'],
        ['Start › Why is it so?', 'why-is-it-so'],
        ['End', 'end'],
      ],
    );
    assert.deepEqual(await placesOf('text', 'FIRST THINGS\n\nOne.\n\nLAST THINGS\n\nTwo.'), [
      ['FIRST THINGS', 'first-things'],
      ['LAST THINGS', 'last-things'],
    ]);
  });

  it('joins the lines of paragraphs, and keeps lists and listings', async () => {
    const text =
      'A sentence that\ngoes on.\n\n  * one\n    more\n  * two\n\nRun::\n\n    $ a\n      b\n\n1) first\n2) second';
    assert.equal(
      await textOf('text', text),
      'A sentence that goes on.\n\n- one more\n- two\n\nRun:\n\n```\n$ a\n  b\n```\n\n1) first\n2) second',
    );
  });

  it('keeps the lines of code and of what was typed, and joins those of paragraphs', async () => {
    const typed = '$ ed file\na\nwq';
    const code = 'set(A on)\nif(B)\n  c\nendif(B)';
    const prose = 'Press (a) and then the\nbutton --now; or wait for\nthe lamp.';
    assert.equal(
      await textOf(
        'text',
        `-*- text -*-\n${typed}\n\n${code}\n\n${prose}\n\na\tb\tc;\nabcd\tx\td;`,
      ),
      `\`\`\`\n${typed}\n\`\`\`\n\n\`\`\`\n${code}\n\`\`\`\n\n${prose.replaceAll('\n', ' ')}\n\n\`\`\`\na       b       c;\nabcd    x       d;\n\`\`\``,
    );
  });

  it('knows titles between lines of signs, in signs and in the middle, and steps with a slash', async () => {
    const text =
      '                    The pump\n\n1/ open\n2/ close\n\n= = = = = =\n  Oil\n= = = = = =\n\nOil it.\n\n# Lid #\n-------\n\nClose it.';
    assert.deepEqual(await placesOf('text', text), [
      ['The pump', 'the-pump'],
      ['Oil', 'oil'],
      ['Oil › Lid', 'lid'],
    ]);
    assert.match(await textOf('text', text), /1\. open\n2\. close/);
    const none =
      'A paragraph\nthat ends.\n------------------------\n\nRun this:\n\n# lid close\n\nDone.';
    assert.deepEqual(await placesOf('text', none, { fileName: 'lid' }), [['lid', 'paragraph-1']]);
  });

  it('has each letter once where a printer had it twice, and the titles of Markdown', async () => {
    const text =
      'P\bPu\bum\bmp\bp\n\n# Oil\n\n_\bO_\bi_\bl it.\n\n Lid\n ---\n\n/BIND a b\n/BIND c d';
    assert.equal(
      await textOf('text', text),
      'Pump\n\n### Oil\n\nOil it.\n\n### Lid\n\n```\n/BIND a b\n/BIND c d\n```',
    );
  });

  it('names paragraphs by their number where there is no heading, and takes its name as the title', async () => {
    const long = (word: string) => `${word} `.repeat(500).trim() + '.';
    const places = await placesOf('text', `${long('one')}\n\n${long('two')}\n\n${long('three')}`, {
      fileName: 'my_notes.txt',
    });
    assert.deepEqual(places, [
      ['my notes', 'paragraph-1'],
      ['my notes (2)', 'paragraph-3'],
    ]);
  });

  it('loses the signs of reStructuredText', async () => {
    const text =
      '.. contents::\n   :depth: 2\n\n.. note:: See :ref:`that <x>`, :var:`<A>` and ``code``. ::\n\n.. versionadded:: 3.1\n\n.. code-block:: sh\n   :linenos:\n\n   $ a\n\n**Bold** text.';
    assert.equal(
      await textOf('text', text),
      'See that, <A> and code.\n\nNew in version 3.1\n\n```\n$ a\n```\n\nBold text.',
    );
  });

  it('has letters for the codes that another encoding has left', async () => {
    assert.equal(await textOf('text', 'From 1\u00962 \u009b3\u0081.'), 'From 1–2 ›3.');
    assert.equal(await textOf('markdown', '```\na\u009bb\n```'), '```\na›b\n```');
  });

  it('is decoded by its mark, as UTF-8, or as Windows-1252', () => {
    const cases: [Buffer, string][] = [
      [Buffer.from('Größe', 'utf8'), 'utf-8'],
      [Buffer.from('Gr\xf6\xdfe \x80', 'latin1'), 'windows-1252'],
      [Buffer.from('\ufeffGröße', 'utf16le'), 'utf-16le'],
      [Buffer.from('\ufeffGröße', 'utf16le').swap16(), 'utf-16be'],
      [Buffer.from('Größe ist hier', 'utf16le'), 'utf-16le'],
    ];
    for (const [bytes, encoding] of cases) {
      const decoded = decodeText(bytes);
      assert.equal(decoded.encoding, encoding);
      assert.match(decoded.text, /^Größe/);
    }
    assert.equal(decodeText(Buffer.from('a\r\nb\0\u0007\rc')).text, 'a\nb\nc');
  });

  it('keeps the places of numbers and drawings', async () => {
    const { sections } = await read('text', '1  2.5  3\n4  5.5  6');
    assert.equal(sections[0]?.content, '```\n1  2.5  3\n4  5.5  6\n```');
  });
});
