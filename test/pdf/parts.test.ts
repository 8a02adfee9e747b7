import assert from 'node:assert/strict';
import type { Line } from '../../src/pdf/layout/page.js';
import { assembleSections } from '../../src/pdf/sections/assemble.js';
import type { Block, BlockKind } from '../../src/sections/block.js';
import { nameParts } from '../../src/sections/part-name.js';
import { splitLong } from '../../src/sections/split-long.js';
import { makePage } from './make-lines.js';

const limits = { sectionMaxChars: 400, sectionMinChars: 40 };

const words = (length: number) => 'word '.repeat(Math.ceil(length / 5)).slice(0, length - 2) + 's.';
const block = (kind: BlockKind, text: string, more: Partial<Block> = {}): Block => ({
  kind,
  text,
  pageFrom: 1,
  pageTo: 1,
  ...more,
});
const text = (length: number, left = 0) => block('paragraph', `W${words(length - 1)}`, { left });

/** The number of blocks in each part. */
const countsOf = (...blocks: Block[]) => splitLong(blocks, limits).map(({ length }) => length);

describe('A long section is cut', () => {
  it('into parts of about the same length', () => {
    assert.deepEqual(countsOf(...Array.from({ length: 9 }, () => text(100))), [3, 3, 3]);
  });

  it('before a run-in head rather than at equal lengths', () => {
    const head = block('paragraph', `Battery. ${words(90)}`, { label: 'Battery', left: 0 });
    assert.deepEqual(countsOf(text(100), text(100), head, text(100), text(100), text(100)), [2, 4]);
  });

  it('between the steps of a list, never within one', () => {
    const step = (number: number) => block('item', `${number}. ${words(90)}`, { left: 0 });
    const more = text(100, 20);
    assert.deepEqual(countsOf(step(1), step(2), step(3), more, step(4), more, step(5)), [4, 3]);
  });

  it('not behind a lead-in, however long it is', () => {
    const lead = block('paragraph', `${words(330)}:`, { left: 0 });
    const item = block('item', `- ${words(90)}`, { left: 0 });
    assert.deepEqual(countsOf(text(300), lead, item, text(300)), [1, 2, 1]);
  });

  it('not between a lead-in, the caption below it and the listing of the caption', () => {
    const lead = block('paragraph', `${words(100)}:`, { left: 0 });
    const caption = block('paragraph', 'Listing of all packages with versions', { left: 0 });
    const listing = block('code', `\`\`\`\n${words(170)}\n\`\`\``, { left: 0 });
    assert.deepEqual(countsOf(text(220), lead, caption, listing, text(150)), [1, 3, 1]);
  });

  it('not at all if it is a little longer than the limit and has no better place', () => {
    const step = (number: number) => block('item', `${number}. ${words(100)}`, { left: 0 });
    assert.deepEqual(countsOf(step(1), step(2), step(3), step(4)), [4]);
  });

  it('so that a table stays whole if it is only a little longer than the limit', () => {
    const rows = Array.from({ length: 7 }, (_, at) => `| ${at} | ${words(50)} |`).join('\n');
    const table = block('table', `| No. | Text |\n| --- | --- |\n${rows}`);
    assert.ok(table.text.length > limits.sectionMaxChars);
    assert.deepEqual(countsOf(text(200), table, text(200)), [1, 1, 1]);
  });

  it('in the middle of a table that is much longer, with the head above both halves', () => {
    const rows = Array.from({ length: 10 }, (_, at) => `| ${at} | ${words(50)} |`).join('\n');
    const parts = splitLong([block('table', `| No. | Text |\n| --- | --- |\n${rows}`)], limits);
    const halves = parts.map((part) => part[0]?.text.split('\n') ?? []);
    assert.deepEqual(
      halves.map((lines) => [lines[0], lines.length]),
      [
        ['| No. | Text |', 7],
        ['| No. | Text |', 7],
      ],
    );
  });

  it('before a table if the section begins with one and explains each below it', () => {
    const table = block('table', `- \`name\`: ${words(90)}`);
    const one = [table, text(90), text(90)];
    assert.deepEqual(countsOf(...one, ...one, text(90), ...one), [3, 4, 3]);
  });

  it('not between rows of a table with the same first cell', () => {
    const row = (key: string) => `| ${key} | ${words(90)} |`;
    const rows = ['Cause', 'Place', 'Time', 'Load', 'Load', 'Load', 'Flag', 'Note'].map(row);
    const table = block('table', `| Name | Text |\n| --- | --- |\n${rows.join('\n')}`);
    const parts = splitLong([table], limits).map(([part]) => part?.text.match(/Load/g)?.length);
    assert.deepEqual(
      parts.filter((count) => count !== undefined),
      [3],
    );
  });

  it('at the empty lines of a listing', () => {
    const group = `${'x = 1;\n'.repeat(20)}\n`;
    const parts = splitLong([block('code', `\`\`\`\n${group.repeat(5)}y = 2;\n\`\`\``)], limits);
    for (const part of parts) assert.doesNotMatch(part[0]?.text ?? '', /\n\n```$|^```\n\n/);
    for (const part of parts.slice(1)) assert.match(part[0]?.text ?? '', /^```\n(?:x = 1;\n){20}/);
  });

  it('not below the line of a listing that leads to what follows', () => {
    const group = `These are:\n\n${'x = 1;\n'.repeat(20)}`;
    const text = `\`\`\`\n${group.repeat(10)}\`\`\``;
    for (const [part] of splitLong([block('code', text)], limits))
      assert.doesNotMatch(part?.text ?? '', /:\n+```$/);
  });
});

describe('A part of a long section is named', () => {
  const full = 'This sentence of the running text fills the whole width of its column.';
  type Given = string | Partial<Line>;
  const body = (lines: number): Given[] => Array.from({ length: lines }, () => full);
  /** Titles of a document that consists of one long chapter, without the chapter's own title. */
  function namesOf(lines: readonly Given[]): string[] {
    const title = { text: 'Settings', size: 16, bold: true };
    const sections = assembleSections([makePage(1, [title, ...lines])], [], '', limits);
    return sections.map((section) => section.title.replace(/^Settings(?: › )?/, ''));
  }

  it('by the terms that it explains, from the first to the last', () => {
    const entries = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];
    const lines = entries.flatMap((term): Given[] => [
      { text: term },
      { text: `${full.slice(0, -1)},`, x: 80 },
      { text: 'and ends here.', x: 80 },
    ]);
    assert.deepEqual(namesOf(lines), ['', 'epsilon – theta']);
  });

  it('by the options that its listings describe', () => {
    const lines = ['-a', '-b', '-c', '-d'].flatMap((option): Given[] => [
      { text: `${option}   sets the value of ${option}`, mono: true },
      { text: full, x: 80 },
      { text: full, x: 80 },
      { text: 'It ends here.', x: 80 },
    ]);
    assert.deepEqual(namesOf(lines), ['', '-c, -d']);
  });

  it('by the term in which it begins', () => {
    const lines = ['alpha', 'beta', 'gamma'].flatMap((term): Given[] => [
      { text: term },
      ...Array.from({ length: 9 }, () => ({ text: full, x: 80 })),
    ]);
    assert.deepEqual(namesOf(lines), ['', 'alpha', 'beta', 'beta (2)', 'gamma', 'gamma (2)']);
  });

  it('by bold words at the beginning of its paragraphs', () => {
    const lines = ['Colour', 'Width', 'Height', 'Depth'].flatMap((name, at): Given[] => [
      {
        text: `${name}. ${full}`.slice(0, full.length),
        lead: { text: `${name}.`, bold: true },
        y: 150 + at * 60,
      },
      full,
      full,
    ]);
    assert.deepEqual(namesOf(lines), ['', 'Width, Height', 'Depth']);
  });

  it('by its terms rather than the caption of a listing in it', () => {
    const label = (words: string) => block('paragraph', words, { label: words, left: 0 });
    const example = [label('Use of cables'), block('code', '```\n$ cables\n```', { left: 0 })];
    assert.deepEqual(nameParts([[label('-a'), text(90), ...example, label('-b'), text(90)]], []), [
      ['-a, -b'],
    ]);
    assert.deepEqual(nameParts([example], []), [['Use of cables']]);
  });

  it('by a number if it has no name, and never by its first sentence or the label of a box', () => {
    const note: Given = { text: 'Note', bold: true };
    const plain = namesOf(body(12));
    assert.deepEqual(plain.slice(0, 3), ['', ' (2)', ' (3)']);
    assert.ok(namesOf([...body(5), note, ...body(5)]).every((name) => !name.includes('Note')));
  });
});
