import assert from 'node:assert/strict';
import { cleanText, mendListing } from '../../src/sections/clean-text.js';
import { layOutPage } from '../../src/pdf/layout/lay-out-page.js';
import { reasonUnseen, type TextRun } from '../../src/pdf/layout/page.js';

const frame = { number: 1, width: 600, height: 800 };

function run(text: string, x: number, y: number, overrides: Partial<TextRun> = {}): TextRun {
  const size = overrides.size ?? 10;
  return {
    text,
    x,
    y,
    size,
    width: text.length * size * 0.5,
    bold: false,
    italic: false,
    mono: false,
    rightToLeft: false,
    spaced: false,
    ...overrides,
  };
}

function textOf(runs: readonly TextRun[], quarter = 0): string[] {
  return layOutPage(
    runs.map((each) => ({ quarter, run: each })),
    frame,
  ).lines.map((line) => line.text);
}

/** Twelve lines of prose that fill a column. */
function column(word: string, x: number): TextRun[] {
  return Array.from({ length: 12 }, (_, row) =>
    run(`${word} ${row} fills this column of the page`, x, 100 + row * 12),
  );
}

describe('The layout of a page', () => {
  it('keeps a footnote mark in its line, even after a space', () => {
    const mark = run('2', 128, 96.4, { size: 7 });
    assert.deepEqual(
      textOf([run('the maintainer.', 50, 100), mark, run('Welcome to all.', 136, 100)]),
      ['the maintainer.[^2] Welcome to all.'],
    );
  });

  it('ignores text with an impossible size or position', () => {
    const far = [3e9, 1e300, Infinity, NaN];
    const odd = far.flatMap((value) => [
      run('wide', 50, 100, { width: value }),
      run('far', value, 100),
      run('large', 50, 100, { size: value, width: 10 }),
    ]);
    assert.deepEqual(textOf([run('Words stay.', 50, 100), ...odd]), ['Words stay.']);
  });

  it('joins text on one baseline and writes gaps as spaces', () => {
    assert.deepEqual(
      textOf([run('Net', 50, 100), run('work', 65, 100), run('settings', 88, 100)]),
      ['Network settings'],
    );
  });

  it('keeps a footnote mark with the word before it', () => {
    assert.deepEqual(textOf([run('stable', 50, 100), run('2', 80, 96, { size: 6 })]), [
      'stable[^2]',
    ]);
  });

  it('writes raised signs behind words as marks of footnotes, and marks of authors apart', () => {
    const raised = (text: string, x: number) => run(text, x, 96, { size: 6 });
    assert.deepEqual(textOf([run('Commander', 50, 100), raised('∗∗', 95)]), ['Commander[^**]']);
    assert.deepEqual(textOf([run('A. Smith', 50, 100), raised('a,b', 90)]), ['A. Smith ᵃ,ᵇ']);
    assert.deepEqual(textOf([run('A. Smith', 50, 100), raised('b)', 90)]), ['A. Smith ᵇ⁾']);
    assert.deepEqual(
      textOf([
        raised('a', 50),
        run('Example Ltd.;', 53, 100),
        raised('b', 121),
        run('Other', 124, 100),
      ]),
      ['ᵃ Example Ltd.; ᵇ Other'],
    );
    assert.deepEqual(textOf([run('the 7.', 50, 100), raised('a', 80)]), ['the 7.a']);
  });

  it('writes a soft hyphen in the middle of a line as a hyphen, and one copyright sign', () => {
    assert.deepEqual(textOf([run('The LTC\u00adTSS is in\u00ad', 50, 100)]), [
      'The LTC-TSS is in\u00ad',
    ]);
    assert.deepEqual(textOf([run('©', 50, 100, { width: 10 }), run('c', 52.5, 100)]), ['©']);
  });

  it('has no space before a full stop or comma behind a word in another type', () => {
    const name = (x: number) => run('krb5.conf', x, 100, { italic: true });
    const first = run('See', 50, 100);
    assert.deepEqual(textOf([first, name(68), run(', then stop.', 115, 100)]), [
      'See krb5.conf, then stop.',
    ]);
    // The sign itself is meant, or it begins a name.
    assert.deepEqual(
      textOf([first, run('a', 68, 100, { bold: true }), run('.', 75, 100, { mono: true })]),
      ['See a .'],
    );
    assert.deepEqual(textOf([first, name(68), run('.', 115, 100), run('amn', 120, 100)]), [
      'See krb5.conf .amn',
    ]);
  });

  it('reads one column after the other', () => {
    const lines = textOf([...column('left', 50), ...column('right', 320)]);
    assert.match(lines[11] ?? '', /^left 11/);
    assert.match(lines[12] ?? '', /^right 0/);
  });

  it('reads columns in order, even if the file stores their lines alternately', () => {
    const left = column('left', 50);
    const right = column('right', 320);
    const lines = textOf(left.flatMap((line, row) => [line, right[row] ?? line]));
    assert.match(lines[11] ?? '', /^left 11/);
    assert.match(lines[12] ?? '', /^right 0/);
  });

  it('reads columns in order, even if a page number stands in their narrow gutter', () => {
    const right = column('right', 247).map((each) => ({ ...each, y: each.y + 5 }));
    const lines = textOf([...column('left', 50), ...right, run('3', 239, 400, { width: 4 })]);
    assert.match(lines[11] ?? '', /^left 11/);
    assert.match(lines[12] ?? '', /^right 0/);
    assert.equal(lines.at(-1), '3');
  });

  it('reads columns on a page of any width', () => {
    const lines = textOf([...column('left', -90_000), ...column('right', 90_000)]);
    assert.match(lines[0] ?? '', /^left 0/);
    assert.match(lines[12] ?? '', /^right 0/);
  });

  it('reads a title that spans both columns before the columns', () => {
    const title = run('A title that stretches across both of the columns below it', 60, 60, {
      size: 16,
    });
    const lines = textOf([...column('left', 50), ...column('right', 320), title]);
    assert.match(lines[0] ?? '', /^A title/);
    assert.match(lines[1] ?? '', /^left 0/);
  });

  it('keeps a line that is too long for its column in it, if text is beside it', () => {
    const left = column('left', 50).map((each, row) =>
      row === 5 ? { ...each, text: `${each.text} and over`, width: 250 } : each,
    );
    const right = column('right', 320).map((each) => ({ ...each, y: each.y + 5 }));
    const lines = textOf([...left, ...right]);
    assert.match(lines[5] ?? '', /^left 5 .* and over$/);
    assert.match(lines[11] ?? '', /^left 11/);
    assert.match(lines[12] ?? '', /^right 0/);
    // What the other column is drawn over cannot be a line over both.
    const under = left.map((each, row) => (row === 5 ? { ...each, width: 400 } : each));
    assert.match(textOf([...under, ...right])[11] ?? '', /^left 11/);
  });

  it('marks the heading of a table that has a rule below it', () => {
    const row = (text: string, y: number) => [run(text, 50, y), run(text, 150, y)];
    const rules = [{ across: true, at: 103, from: 45, to: 200 }];
    const runs = [...row('Head', 100), ...row('cell', 114)].map((each) => ({
      quarter: 0,
      run: each,
    }));
    const { lines } = layOutPage(runs, frame, { rules, drawings: [], shades: [] });
    assert.deepEqual(
      lines.map(({ underlined }) => underlined === true),
      [true, false],
    );
  });

  it('marks the line below a short rule at the edge of its column', () => {
    const rule = (to: number) => [{ across: true, at: 710, from: 50, to }];
    const notes = [...column('text', 50), run('* A note', 50, 720)];
    const runs = notes.map((each) => ({ quarter: 0, run: each }));
    const marked = (to: number) =>
      layOutPage(runs, frame, { rules: rule(to), drawings: [], shades: [] }).lines.map(
        ({ belowRule }) => belowRule === true,
      );
    assert.deepEqual(marked(110).indexOf(true), 12);
    assert.deepEqual(marked(400).indexOf(true), -1);
  });

  it('finds columns of justified lines below a table over both of them', () => {
    // More than an eighth of the page's text crosses the gutter or stands in it, and the file has no order.
    const table = Array.from({ length: 6 }, (_, row) =>
      [50, 150, 230, 330, 430].map((x) => run(`cell ${row}`, x, 20 + row * 12, { width: 60 })),
    );
    const left = column('left', 50).map((each) => ({ ...each, width: 200 }));
    const right = column('right', 270).map((each) => ({ ...each, width: 200 }));
    const caption = run('Table 1. A caption that stands above the table', 50, 8);
    const rows = left.flatMap((line, row) => [right[row] ?? line, line]);
    const lines = textOf([...rows, caption, ...table.flat()]);
    assert.equal(lines[1], 'cell 0 cell 0 cell 0 cell 0 cell 0');
    assert.match(lines[7] ?? '', /^left 0/);
    assert.match(lines[18] ?? '', /^left 11/);
    assert.match(lines[19] ?? '', /^right 0/);
  });

  it('finds columns below a formula over both of them, whose signs repeat', () => {
    const left = column('left', 50).map((each) => ({ ...each, width: 200 }));
    const right = column('right', 270).map((each) => ({ ...each, width: 200 }));
    const bars = Array.from({ length: 30 }, (_, row) =>
      [120, 440].map((x) => run('|', x, 10 + row * 2.5)),
    );
    const lines = textOf([
      ...left.flatMap((line, row) => [right[row] ?? line, line]),
      ...bars.flat(),
    ]);
    const at = (start: string) => lines.findIndex((line) => line.startsWith(start));
    assert.ok(at('left 11') > 0 && at('left 11') < at('right 0'));
  });

  it('finds short columns of ragged lines below a running head with two parts', () => {
    const ragged = (word: string, x: number) =>
      column(word, x)
        .slice(0, 6)
        .map((each, row) => ({ ...each, width: 130 + 9 * (row % 4) }));
    const head = [run('12', 50, 60), run('A running head', 380, 60)];
    const lines = textOf([...head, ...ragged('left', 50), ...ragged('right', 270)]);
    const at = (start: string) => lines.findIndex((line) => line.startsWith(start));
    assert.ok(at('left 5') > 0 && at('left 5') < at('right 0'));
  });

  it('finds a column of text beside one with little text', () => {
    const left = column('left', 50).slice(0, 4);
    const right = column('right', 270).map((each) => ({ ...each, y: each.y + 5 }));
    const exact = (runs: TextRun[]) => runs.map((each) => ({ ...each, width: 200 }));
    const [a, b] = [exact(left), exact(right)];
    const lines = textOf(b.flatMap((line, row) => [line, ...a.slice(row, row + 1)]));
    assert.match(lines[3] ?? '', /^left 3/);
    assert.match(lines[4] ?? '', /^right 0/);
  });

  it('keeps a line over both columns whole, and the short line that ends its paragraph with it', () => {
    const caption = [
      run('Figure 1. The logo of T', 50, 70),
      run('E', 165, 72),
      run('X in a caption that goes over both of the columns below', 170, 70),
      run('and ends here.', 50, 82),
    ];
    const lines = textOf([...caption, ...column('left', 50), ...column('right', 320)]);
    assert.match(lines[0] ?? '', /^Figure 1. The logo of TEX in/);
    assert.equal(lines[1], 'and ends here.');
    assert.match(lines[2] ?? '', /^left 0/);
    assert.match(lines[14] ?? '', /^right 0/);
  });

  it('keeps the names of authors over the columns in their rows', () => {
    const cells = (y: number, ...names: string[]) =>
      names.map((name, at) => run(name, 60 + at * 180, y, { width: 90 }));
    const title = run('A title that stretches across both of the columns', 120, 30);
    const names = [...cells(50, 'Ada', 'Bob', 'Cy'), ...cells(62, 'Oslo', '', 'Rom')];
    const abstract = run('What follows is written over both of the columns as well', 120, 80);
    const text = [...column('left', 50), ...column('right', 320)];
    const lines = textOf([title, ...names, abstract, ...text]);
    assert.deepEqual(lines.slice(1, 3), ['Ada Bob Cy', 'Oslo Rom']);
    assert.equal(lines[4], 'left 0 fills this column of the page');
  });

  it('reads a short passage in two columns within a page of one column', () => {
    const wide = (y: number) =>
      run('A line that fills the page from its left side to the right side of it'.repeat(2), 50, y);
    const above = Array.from({ length: 20 }, (_, row) => wide(40 + row * 12));
    const below = Array.from({ length: 20 }, (_, row) => wide(400 + row * 12));
    const short = (word: string, x: number) =>
      Array.from({ length: 5 }, (_, row) =>
        run(`${word} ${row} and more words that fill its column`, x, 300 + row * 12),
      );
    const lines = textOf([...above, ...short('left', 50), ...short('right', 320), ...below]);
    assert.match(lines[20] ?? '', /^left 0/);
    assert.match(lines[24] ?? '', /^left 4/);
    assert.match(lines[25] ?? '', /^right 0/);
    assert.match(lines[30] ?? '', /^A line/);
  });

  it('reads a note in the margin after the lines beside it', () => {
    const text = Array.from({ length: 12 }, (_, row) =>
      run(`text ${row} with the words that fill the column of text`, 50, 100 + row * 12),
    );
    const note = run('a note in the margin', 400, 124, { size: 7, width: 70 });
    const lines = textOf([...text, note]);
    assert.match(lines[2] ?? '', /column of text$/);
    assert.equal(lines[12], 'a note in the margin');
  });

  it('reads a note beside few lines apart from them, if it stands on lines of its own', () => {
    const above = [64, 76, 88].map((y) => run('a line of text', 50, y));
    const text = ['Its first', 'words are', 'here and end.'].map((words, row) =>
      run(words, 50, 112 + row * 12),
    );
    const notes = ['A note', 'in the', 'margin', 'is here.'].map((words, row) =>
      run(words, 400, 112 + row * 8, { size: 7, width: 40 }),
    );
    const lines = textOf([...above, ...text, ...notes]);
    assert.deepEqual(lines.slice(3, 7), ['Its first', 'words are', 'here and end.', 'A note']);
  });

  it('goes on with the text beside a note in the margin as with that above it', () => {
    const text = Array.from({ length: 12 }, (_, row) =>
      run(`text ${row} with the words that fill the column of text`, 50, 100 + row * 12),
    );
    const notes = ['a note', 'in two lines'].map((words, row) =>
      run(words, 400, 148 + row * 10, { size: 7, width: 40 }),
    );
    const placed = [...text, ...notes].map((each) => ({ quarter: 0, run: each }));
    const { lines } = layOutPage(placed, frame);
    assert.equal(lines[3]?.region, lines[4]?.region);
  });

  it('reads captions of figures side by side one after the other', () => {
    const lines = textOf([
      run('Figure 1. The light', 50, 100),
      run('Figure 2. The noise of', 250, 100),
      run('of a year.', 50, 112),
      run('the sensor.', 250, 112),
      run('This text stands below both of them and is as long as they are together.', 50, 136),
      ...Array.from({ length: 6 }, (_, row) => run('More text of the page.', 50, 148 + 12 * row)),
    ]);
    assert.deepEqual(lines.slice(0, 4), [
      'Figure 1. The light',
      'of a year.',
      'Figure 2. The noise of',
      'the sensor.',
    ]);
  });

  it('keeps the cells of a table on one line', () => {
    const rows = Array.from({ length: 8 }, (_, row) => [
      run(`key ${row}`, 50, 100 + row * 12),
      run(`value ${row}`, 300, 100 + row * 12),
    ]);
    const lines = layOutPage(
      rows.flat().map((each) => ({ quarter: 0, run: each })),
      frame,
    ).lines;
    assert.equal(lines[3]?.text, 'key 3 value 3');
    assert.deepEqual(
      lines[3].segments.map((segment) => segment.text),
      ['key 3', 'value 3'],
    );
  });

  it('reads a page that is rotated by 90 degrees', () => {
    const turned = [run('first line', 500, 100), run('second line', 488, 100)];
    assert.deepEqual(textOf(turned, 1), ['first line', 'second line']);
  });

  it('detects invisible text, which is off the page or too small to read', () => {
    const unseen = (text: TextRun, quarter = 0) => reasonUnseen(text, quarter, frame);
    assert.equal(unseen(run('seen', 50, 100)), undefined);
    assert.equal(unseen(run('off the page', 50, -40)), 'off_page');
    assert.equal(unseen(run('tiny', 50, 200, { size: 0.5 })), 'tiny');
    assert.equal(unseen(run('a stamp along the margin', 50, -40), 1), undefined);
  });

  it('reads text once if it is drawn twice to look bold', () => {
    assert.deepEqual(textOf([run('Warning', 50, 100), run('Warning', 50.4, 100)]), ['Warning']);
  });

  it('keeps a list item on one line, even if its mark is larger and lower', () => {
    const item = (y: number, first: string) => [
      run('*', 50, y + 4.2, { size: 13, width: 6 }),
      run(first, 61, y),
      run('git merge', 61 + first.length * 5 + 3, y, { mono: true }),
      run('joins branches', 110 + first.length * 5 + 3, y),
    ];
    assert.deepEqual(textOf([...item(100, 'Here'), ...item(114, 'There')]), [
      '* Here git merge joins branches',
      '* There git merge joins branches',
    ]);
  });

  it('takes the syntax of a command for monospaced, with its arguments in italics, but no sentence', () => {
    const isMono = (...pieces: [string, Partial<TextRun>][]) => {
      let x = 50;
      const runs = pieces.map(([text, type]) => run(text, (x += 40), 100, { width: 38, ...type }));
      const placed = runs.map((each) => ({ quarter: 0, run: each }));
      return layOutPage(placed, frame).lines.map((line) => line.mono);
    };
    const [mono, italic] = [{ mono: true }, { italic: true }];
    assert.deepEqual(isMono(['copy {', mono], ['source', italic], ['}', {}], ['target', italic]), [
      true,
    ]);
    assert.deepEqual(isMono(['copy', mono], ['source', italic], ['and', {}], ['-f', mono]), [
      false,
    ]);
    assert.deepEqual(isMono(['copy', mono], ['source', italic], ['.', {}]), [false]);
    assert.deepEqual(isMono(['copy', mono], ['is a program', italic]), [false]);
  });

  it('has no space within a number whose comma TeX sets as that of a formula', () => {
    const number = (gap: number) =>
      textOf([run('5', 50, 100), run(',', 55, 100), run('1 kΩ', 60 + gap, 100)]);
    assert.deepEqual(number(1.7), ['5,1 kΩ']);
    assert.deepEqual(number(3.3), ['5, 1 kΩ']);
  });

  it('takes a line of a program for one, if an arrow behind it is in other type', () => {
    const code = run('write$', 50, 100, { mono: true });
    const placed = [code, run('←', 180, 100)].map((each) => ({ quarter: 0, run: each }));
    assert.equal(layOutPage(placed, frame).lines[0]?.mono, true);
  });

  it('takes a command for one, if its prompt is in other type', () => {
    const isMono = (prompt: string) =>
      layOutPage(
        [run(prompt, 50, 100), run('build all', 65, 100, { mono: true })].map((each) => ({
          quarter: 0,
          run: each,
        })),
        frame,
      ).lines[0]?.mono;
    assert.equal(isMono('$ >'), true);
    assert.equal(isMono('Run'), false);
  });

  it('keeps the spaces of monospaced text', () => {
    const mono = { mono: true, width: 18 };
    assert.deepEqual(textOf([run('foo', 50, 100, mono), run('bar', 98, 100, mono)]), [
      'foo     bar',
    ]);
  });

  it('writes a raised number after a digit, a function or a single letter as a power', () => {
    const power = { size: 6, y: 96 };
    assert.deepEqual(textOf([run('x', 50, 100), run('2', 55, 96, power)]), ['x²']);
    assert.deepEqual(textOf([run('sin(x)', 50, 100), run('2', 80, 96, power)]), ['sin(x)²']);
    assert.deepEqual(textOf([run('10', 50, 100), run('-3', 60, 96, power)]), ['10⁻³']);
    assert.deepEqual(
      textOf([run('H', 50, 100), run('2', 55, 102, { size: 6 }), run('O', 58, 100)]),
      ['H2O'],
    );
  });

  it('keeps a raised number on its line, even if it is drawn last', () => {
    const lines = [run('the first line ends', 50, 100), run('the second line', 50, 112)];
    assert.deepEqual(textOf([...lines, run('7', 145, 96, { size: 6 })]), [
      'the first line ends[^7]',
      'the second line',
    ]);
  });

  it('finds the spaces if every letter is drawn separately, without spaces', () => {
    let x = 50;
    const runs = Array.from('no space here').flatMap((letter) => {
      const at = x;
      x += letter === ' ' ? 2.5 : 5;
      return letter === ' ' ? [] : [run(letter, at, 100)];
    });
    assert.deepEqual(textOf(runs), ['no space here']);
  });

  it('takes the space around the signs of a formula for none between letters', () => {
    const signs = Array.from('i=1,2,3').map((sign, at) => run(sign, 50 + at * 7, 100));
    assert.deepEqual(textOf([...signs, run('as in', 101, 100)]), ['i = 1 , 2 , 3 as in']);
  });

  it('takes the space behind a capital that leans over it for none', () => {
    const leaning = (text: string, x: number) => run(text, x, 100, { italic: true });
    const runs = [leaning('V', 50), leaning('alue', 57), leaning('F', 83), run('(x)', 90, 100)];
    assert.deepEqual(textOf(runs), ['Value F(x)']);
  });

  it('keeps words in small capitals together', () => {
    const small = { size: 8, width: 20 };
    assert.deepEqual(textOf([run('S', 50, 100), run('MALL', 55, 100, small)]), ['SMALL']);
  });
});

describe('Accents that are drawn separately', () => {
  it('combine with the letter under them, whichever is drawn first', () => {
    const before = [run('caf´', 50, 100), run('e au lait', 65, 100)];
    assert.deepEqual(textOf(before), ['café au lait']);
    const after = [run('cafe', 50, 100), run('´', 65, 98)];
    assert.deepEqual(textOf(after), ['café']);
    const capital = [run('´', 51, 97), run('Etude', 50, 100)];
    assert.deepEqual(textOf(capital), ['Étude']);
    const dotless = [run('aqu´', 50, 100), run('ı', 66, 100, { width: 3 })];
    assert.deepEqual(textOf(dotless), ['aquí']);
  });

  it('combine with the next letter of their text, unless they may be apostrophes, tildes or backquotes', () => {
    assert.deepEqual(textOf([run('Universit¨at', 50, 100)]), ['Universität']);
    assert.deepEqual(textOf([run('in \u02dc/.profile', 50, 100)]), ['in ~/.profile']);
    assert.deepEqual(textOf([run('it´s ~user `ls`', 50, 100)]), ['it´s ~user `ls`']);
  });
});

describe('Right-to-left text', () => {
  const right = (text: string, end: number, y = 100) =>
    run(text, end - text.length * 5, y, { rightToLeft: true });

  it('is read from the right, with numbers and Latin words in their own direction', () => {
    const words = [
      right('שלום', 500),
      run('Linux', 430, 100),
      run('6.1', 460, 100),
      right('עולם', 425),
    ];
    assert.deepEqual(textOf(words), ['שלום Linux 6.1 עולם']);
  });

  it('is read as words if it is drawn letter by letter', () => {
    const letters = Array.from('שלום').map((letter, index) => right(letter, 500 - index * 5));
    const next = Array.from('עולם').map((letter, index) => right(letter, 477 - index * 5));
    assert.deepEqual(textOf([...letters, ...next]), ['שלום עולם']);
  });

  it('is read from the right column to the left column', () => {
    const text = (word: string, end: number) =>
      Array.from({ length: 12 }, (_, row) =>
        right(`${word} ${row} ${'מילה '.repeat(8).trim()}`, end, 100 + row * 12),
      );
    const lines = textOf([...text('ימין', 560), ...text('שמאל', 280)]);
    assert.match(lines[0] ?? '', /^ימין 0/);
    assert.match(lines[12] ?? '', /^שמאל 0/);
  });

  it('gets its brackets mirrored if they close before they open', () => {
    assert.deepEqual(textOf([right('שלום )עולם( טוב', 500)]), ['שלום (עולם) טוב']);
  });

  it('contains Arabic letters instead of their presentation forms', () => {
    assert.equal(cleanText('\ufee3\ufead\ufea3\ufe92\ufe8e'), 'مرحبا');
  });
});

describe('Cleaning text', () => {
  it('reads control codes as the letters of Windows-1252, and drops those without a letter', () => {
    assert.equal(cleanText('\u0093quoted\u0094 \u0096 5 \u0080\u0081'), '“quoted” – 5 €');
  });

  it('writes symbol-font bullets as bullets and drops other private and invisible characters', () => {
    assert.equal(cleanText('\uf0b7 item \ue123with\u200e an\ufffb icon'), '• item with an icon');
  });

  it('expands ligatures and composes accents', () => {
    assert.equal(
      cleanText(
        'o\ufb03ce Instalacio\u0301n\u00a0aqu\u0131\u0301'.replace('\u0131\u0301', 'i\u0301'),
      ),
      'office Instalación aquí',
    );
  });

  it('removes invisible characters, but keeps soft hyphens', () => {
    assert.equal(cleanText('zero\u200bwidth\u0000 soft\u00adhyphen'), 'zerowidth soft\u00adhyphen');
  });

  it('restores a directory tree that a documentation tool garbled', () => {
    assert.equal(mendListing("b''├b''b''─b''b''─b'' src"), '├── src');
    assert.equal(mendListing("print(b'bytes')"), "print(b'bytes')");
  });
});
