import assert from 'node:assert/strict';
import { findTable } from '../../src/pdf/sections/tables.js';
import type { Line } from '../../src/pdf/layout/page.js';
import { partCells } from '../../src/pdf/sections/table-columns.js';
import { makeLine, makePage } from './make-lines.js';

const body = { size: 10, bold: false, typed: false, leading: 1.2 };
const vocabulary = { has: () => false, hyphenates: true };

/** A line of a table: cells by their left edge. */
function row(y: number, cells: Record<number, string>, overrides: Partial<Line> = {}): Line {
  const segments = Object.entries(cells).map(([x, text]) => ({
    text,
    x: Number(x),
    right: Number(x) + text.length * 5,
  }));
  const text = segments.map((segment) => segment.text).join(' ');
  const x = segments[0]?.x ?? 0;
  return makeLine(text, { x, right: segments.at(-1)?.right ?? x, y, segments, ...overrides });
}

function read(...lines: Line[]): string[] {
  const found = findTable(lines, 0, lines.length, body, vocabulary, new Set());
  return (found?.text ?? '').split('\n');
}

const head = row(100, { 50: 'Name', 150: 'Size', 220: 'Purpose' }, { bold: true });

describe('Tables without lines between cells', () => {
  it('have a heading above its column, even if it is centred and the cells are not', () => {
    const table = read(
      row(100, { 90: 'Code', 180: 'Name', 300: 'Bytes' }, { bold: true }),
      row(112, { 50: '0x90', 150: 'MOV', 310: '3' }),
      row(124, { 50: '0x91', 150: 'ADD', 310: '2' }),
      row(136, { 50: '0x92', 150: 'SUB', 310: '1' }),
    );
    assert.deepEqual(table.slice(0, 3), [
      '| Code | Name | Bytes |',
      '| --- | --- | --- |',
      '| 0x90 | MOV | 3 |',
    ]);
  });

  it('are not made of the labels of a drawing, which become one line', () => {
    const labels = read(
      row(100, { 50: 'PC', 120: 'Port' }),
      row(112, { 50: 'PC', 300: 'Port' }),
      ...[400, 200, 500].map((x, at) => row(142 + 30 * at, { 50: 'PC', [x]: 'Port' })),
    );
    assert.deepEqual(labels, ['PC Port PC Port PC Port PC Port PC Port']);
  });

  it('have wide spaces in a line that fills its cell', () => {
    const table = read(
      head,
      row(112, { 50: 'alpha', 150: 'A', 220: 'The first of them all, which is' }),
      row(124, { 220: 'long.', 265: 'It follows the rest of' }),
      row(136, { 220: 'the others.' }),
      row(148, { 50: 'beta', 150: 'B', 220: 'The second' }),
    );
    assert.equal(
      table[2],
      '| alpha | A | The first of them all, which is long. It follows the rest of the others. |',
    );
  });

  it('join the parts of identifiers that each cell cuts', () => {
    const table = read(
      head,
      row(112, { 50: 'alpha', 150: 'SEN_', 220: 'OA_SOAP_' }),
      row(124, { 150: 'IN', 220: 'IN_PWR' }),
      row(136, { 50: 'beta', 150: 'SEN_', 220: 'OA_SOAP_' }),
      row(148, { 150: 'OUT', 220: 'OUT_PWR' }),
    );
    assert.deepEqual(table.slice(2), [
      '| alpha | SEN_IN | OA_SOAP_IN_PWR |',
      '| beta | SEN_OUT | OA_SOAP_OUT_PWR |',
    ]);
  });

  it('have a row for each line whose last cell says the same as the one above', () => {
    const table = read(
      row(100, { 50: 'Label : 7', 330: 'end' }),
      row(112, { 50: 'Label 1 : 7', 130: 'tab', 180: 'Label 2', 330: 'end' }),
      row(124, { 50: 'Label 1 : 7', 130: 'tab', 180: 'Label 2', 250: 'Label 3', 330: 'end' }),
    );
    assert.deepEqual(table, [
      '| Label : 7 |  |  |  | end |',
      '| --- | --- | --- | --- | --- |',
      '| Label 1 : 7 | tab | Label 2 |  | end |',
      '| Label 1 : 7 | tab | Label 2 | Label 3 | end |',
    ]);
  });

  it('join the lines of a wrapped cell, whether rows are aligned at the top or centred', () => {
    const top = read(
      head,
      row(112, { 50: 'alpha', 150: '12', 220: 'the first of all the' }),
      row(124, { 220: 'letters' }),
      row(136, { 50: 'beta', 150: '34', 220: 'the second' }),
    );
    const centred = read(
      head,
      row(112, { 220: 'the first of all the' }),
      row(118, { 50: 'alpha', 150: '12' }),
      row(124, { 220: 'letters' }),
      row(136, { 50: 'beta', 150: '34', 220: 'the second' }),
    );
    const expected = [
      '| Name | Size | Purpose |',
      '| --- | --- | --- |',
      '| alpha | 12 | the first of all the letters |',
      '| beta | 34 | the second |',
    ];
    assert.deepEqual(top, expected);
    assert.deepEqual(centred, expected);
  });

  it('begin with a heading whose cells may have several lines', () => {
    const lines = read(
      row(100, { 220: 'its' }, { bold: true }),
      row(106, { 50: 'Name', 150: 'Size' }, { bold: true }),
      row(112, { 220: 'purpose' }, { bold: true }),
      row(124, { 50: 'alpha', 150: '12', 220: 'reading' }),
      row(136, { 50: 'beta', 150: '34', 220: 'writing' }),
    );
    assert.equal(lines[0], '| Name | Size | its purpose |');
    assert.equal(lines.length, 4);
  });

  it('keep a cell that is wider than its column in the column where it begins', () => {
    const lines = read(
      head,
      row(112, { 50: 'alpha', 150: '12', 220: 'reading' }),
      row(124, { 50: 'a-name-that-is-much-too-long' }, { mono: true }),
      row(130, { 150: '34', 220: 'writing' }),
      row(148, { 50: 'gamma', 150: '56', 220: 'counting' }),
    );
    assert.equal(lines[3], '| a-name-that-is-much-too-long | 34 | writing |');
  });

  it('keep empty cells empty', () => {
    const lines = read(
      head,
      row(112, { 50: 'alpha', 150: '12', 220: 'reads what is written' }),
      row(124, { 50: 'beta', 220: 'writes' }),
      row(136, { 50: 'gamma', 150: '56' }),
      row(148, { 50: 'delta', 150: '78', 220: 'counts' }),
    );
    assert.equal(lines[3], '| beta |  | writes |');
    assert.equal(lines[4], '| gamma | 56 |  |');
  });

  it('contain marks and numbers that would begin a list elsewhere', () => {
    const lines = read(
      row(100, { 50: 'Mark', 150: 'Meaning' }, { bold: true }),
      row(112, { 50: '-', 150: 'plain file' }),
      row(124, { 50: '1. Digit', 150: 'of the user' }),
      row(136, { 50: '2. Digit', 150: 'of the group' }),
    );
    assert.equal(lines[2], '| - | plain file |');
    assert.equal(lines[4], '| 2. Digit | of the group |');
    const centred = read(
      row(100, { 50: 'Symbol', 150: 'Name' }),
      row(112, { 60: 'tie', 155: 'at' }),
      row(124, { 62: '–', 147: '<--->' }, { text: '– <--->' }),
      row(136, { 60: 'TeX', 150: '<tx>' }),
    );
    assert.equal(centred[2], '- –: <--->');
  });

  it('are not made of lists with space between mark and text', () => {
    const items = ['one', 'two', 'three', 'four'].map((text, index) =>
      row(100 + index * 12, { 50: '•', 70: text }, { text: `• ${text}` }),
    );
    assert.deepEqual(read(...items), ['']);
  });

  it('may have rows whose cells are centred beside one with more lines', () => {
    const lines = read(
      head,
      row(116, { 220: 'Whether the parser should' }),
      row(122, { 50: 'checks', 150: 'true' }),
      row(128, { 220: 'validate the text' }),
      row(144, { 220: 'Whether to ask the parser to' }),
      row(150, { 50: 'interns', 150: 'false' }),
      row(156, { 220: 'keep the strings' }),
      row(172, { 220: 'Whether the parser should' }),
      row(178, { 50: 'spaces', 150: 'true' }),
      row(184, { 220: 'tell the names of spaces' }),
    );
    assert.deepEqual(lines.slice(2), [
      '| checks | true | Whether the parser should validate the text |',
      '| interns | false | Whether to ask the parser to keep the strings |',
      '| spaces | true | Whether the parser should tell the names of spaces |',
    ]);
  });

  it('without a heading have an empty one, and lose no row', () => {
    const lines = read(
      row(100, { 50: '3e-16', 150: '49/63', 220: 'GO:0016853' }),
      row(112, { 50: '2e-15', 150: '56/63', 220: 'GO:0016853' }),
      row(124, { 50: '6e-15', 150: '20/59', 220: 'GO:0006725' }),
    );
    assert.deepEqual(lines.slice(0, 3), [
      '|  |  |  |',
      '| --- | --- | --- |',
      '| 3e-16 | 49/63 | GO:0016853 |',
    ]);
  });

  it('have terms of two lines where other rows are farther apart', () => {
    const lines = read(
      row(100, { 50: 'Barrels', 150: 'These litter many of the' }),
      row(112, { 150: 'levels.' }),
      row(130, { 50: 'Damaging', 150: 'Lava and sludge are two of the' }),
      row(142, { 50: 'Floors', 150: 'kinds that you find.' }),
      row(160, { 50: 'Doors', 150: 'Some are locked.' }),
    );
    assert.deepEqual(lines, [
      '- Barrels: These litter many of the levels.',
      '- Damaging Floors: Lava and sludge are two of the kinds that you find.',
      '- Doors: Some are locked.',
    ]);
  });

  it('are lists of bold terms, however long the explanations beside them are', () => {
    const lines = ['Barrels', 'Floors', 'Doors'].flatMap((term, at) =>
      Array.from({ length: 7 }, (_, index) => {
        const y = 100 + 100 * at + 12 * index;
        const text = 'what is told of them';
        return index === 0
          ? row(y, { 50: term, 150: text }, { lead: { text: term, bold: true } })
          : row(y, { 150: text });
      }),
    );
    const text = Array<string>(7).fill('what is told of them').join(' ');
    assert.deepEqual(
      read(...lines),
      ['Barrels', 'Floors', 'Doors'].map((term) => `- ${term}: ${text}`),
    );
  });
});

describe('Cells less than an em apart', () => {
  const rows = [
    { text: '-K\tK80' },
    { text: '-f\tfrequencies' },
    // The second cell begins where those of the other rows do, but close to the first one.
    {
      text: '--model-of-all-models GTR',
      segments: [
        {
          text: '--model-of-all-models GTR',
          x: 50,
          right: 215,
          gaps: [{ index: 22, from: 193, to: 200 }],
        },
      ],
    },
  ];

  it('are parted where the cells of two other rows begin', () => {
    const { lines } = makePage(1, rows);
    partCells(lines);
    assert.deepEqual(lines[2]?.segments, [
      { text: '--model-of-all-models', x: 50, right: 193 },
      { text: 'GTR', x: 200, right: 215 },
    ]);
  });

  it('are one where a single row is like that, and in formulas', () => {
    const [first, , third] = rows;
    const formula = { ...third, text: 'x = 7' };
    for (const given of [
      [first, 'Words between them', third],
      [first, first, formula],
    ]) {
      const { lines } = makePage(
        1,
        given.flatMap((row) => row ?? []),
      );
      partCells(lines);
      assert.equal(lines[2]?.segments.length, 1);
    }
  });
});
