import assert from 'node:assert/strict';
import type { Block, BlockKind } from '../../src/sections/block.js';
import { pairNotes } from '../../src/pdf/sections/pair-notes.js';
import { splitLong } from '../../src/sections/split-long.js';

function block(kind: BlockKind, text: string, page: number, pageTo = page): Block {
  return { kind, text, pageFrom: page, pageTo };
}

const textsOf = (blocks: readonly Block[]) => blocks.map(({ text }) => text);

describe('Footnotes', () => {
  it('stand at the end of the chapter with their mark, also if the next chapter begins on that page', () => {
    const blocks = pairNotes([
      block('heading', 'Valve', 3),
      block('paragraph', 'Open the valve.[^1]', 3),
      block('heading', 'Lamp', 3),
      block('paragraph', 'The lamp is green.', 3),
      block('note', '[^1]: To the left.', 3),
    ]);
    assert.deepEqual(textsOf(blocks), [
      ...['Valve', 'Open the valve.[^1]', '[^1]: To the left.'],
      ...['Lamp', 'The lamp is green.'],
    ]);
  });

  it('belong to a paragraph that began on the page before', () => {
    const blocks = pairNotes([
      block('paragraph', 'Open the valve.[^2]', 3, 4),
      block('paragraph', 'Wait.', 4),
      block('note', '[^2]: To the left.', 4),
    ]);
    assert.deepEqual(textsOf(blocks), ['Open the valve.[^2]', 'Wait.', '[^2]: To the left.']);
  });

  it('leave raised numbers without a note as what they are', () => {
    const blocks = pairNotes([
      block('paragraph', 'States sp[^3] and a note[^1].', 2),
      block('code', 'echo [^3]', 2),
      block('note', '[^1]: See there.', 2),
    ]);
    assert.deepEqual(textsOf(blocks), [
      'States sp³ and a note[^1].',
      'echo [^3]',
      '[^1]: See there.',
    ]);
  });

  it('become paragraphs at the end of the chapter if nothing refers to them', () => {
    const blocks = pairNotes([
      block('paragraph', 'Wait.', 1),
      block('note', '[^7]: Press the key.', 1),
      block('item', '- Open it.', 2),
      block('heading', 'Lamp', 2),
      block('paragraph', 'The lamp is green.', 2),
    ]);
    assert.deepEqual(blocks.slice(0, 3), [
      block('paragraph', 'Wait.', 1),
      block('item', '- Open it.', 2),
      block('paragraph', '7 Press the key.', 1),
    ]);
    assert.deepEqual(textsOf(blocks.slice(3)), ['Lamp', 'The lamp is green.']);
  });

  it('with a sign become paragraphs of the chapter with their mark, also of a heading', () => {
    const blocks = pairNotes([
      { ...block('heading', 'The Pump[^*]', 1), printed: 'The Pump[^*]' },
      block('paragraph', 'By A. Smith[^\\*\\*] and others[^†].', 1),
      block('heading', 'Valve', 1),
      block('paragraph', 'Open it.', 1),
      block('note', '[^*]: Of 1990.', 1),
      block('note', '[^**]: Of Example Ltd.', 1),
      block('note', '[^‡]: Not referred to.', 1),
    ]);
    assert.deepEqual(textsOf(blocks), [
      ...['The Pump[^*]', 'By A. Smith\\*\\* and others†.'],
      ...['\\* Of 1990.', '\\*\\* Of Example Ltd.'],
      ...['Valve', 'Open it.', '‡ Not referred to.'],
    ]);
    assert.equal(blocks[0]?.printed, 'The Pump*');
  });

  it('go with their mark when a long section is split', () => {
    const words = (count: number) => 'word '.repeat(count).trim();
    const parts = splitLong(
      [
        block('paragraph', `${words(50)}[^1]`, 1),
        block('paragraph', words(50), 1),
        block('paragraph', words(50), 2),
        block('note', '[^1]: To the left.', 1),
      ],
      { sectionMaxChars: 400, sectionMinChars: 50 },
    );
    assert.equal(parts.length, 3);
    assert.equal(parts[0]?.at(-1)?.text, '[^1]: To the left.');
  });
});

describe('The caption of a table', () => {
  const words = (count: number) => 'word '.repeat(count).trim();
  const caption = block('paragraph', 'Table 3: The pumps and what they can do', 1);
  const table = block('table', `| Pump |\n| --- |\n| ${words(20)} |\n| ${words(20)} |`, 1);
  const text = block('paragraph', words(50), 1);
  const split = (...blocks: Block[]) =>
    splitLong(blocks, { sectionMaxChars: 500, sectionMinChars: 50 }).map((part) =>
      part.map(({ text: own }) => (own.startsWith('|') ? 'table' : own.slice(0, 5))),
    );

  it('stays above its table when a long section is split', () => {
    assert.deepEqual(split(text, caption, table, text), [['word '], ['Table', 'table', 'word ']]);
    const long = { ...table, text: `${table.text}\n| ${words(50)} |\n| ${words(50)} |` };
    assert.deepEqual(split(text, caption, long)[1]?.slice(0, 2), ['Table', 'table']);
  });

  it('stays below its table', () => {
    const before = block('paragraph', words(53), 1);
    assert.deepEqual(split(before, table, caption, text)[1], ['table', 'Table', 'word ']);
  });
});
