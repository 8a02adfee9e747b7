import assert from 'node:assert/strict';
import { cleanText, mendListing } from '../../../src/ingestion/pdf/layout/clean-text.js';
import { layOutPage } from '../../../src/ingestion/pdf/layout/lay-out-page.js';
import type { TextRun } from '../../../src/ingestion/pdf/layout/page.js';
import { reasonUnseen } from '../../../src/ingestion/pdf/layout/unseen.js';

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

describe('laying out a page', () => {
  it('keeps a footnote mark in its line, though a space stands before it', () => {
    const mark = run('2', 128, 96.4, { size: 7 });
    assert.deepEqual(
      textOf([run('the maintainer.', 50, 100), mark, run('Welcome to all.', 136, 100)]),
      ['the maintainer. 2 Welcome to all.'],
    );
  });

  it('joins runs on one baseline and puts spaces where gaps are', () => {
    assert.deepEqual(
      textOf([run('Net', 50, 100), run('work', 65, 100), run('settings', 88, 100)]),
      ['Network settings'],
    );
  });

  it('keeps a footnote mark with the word that it hangs on', () => {
    assert.deepEqual(textOf([run('stable', 50, 100), run('2', 80, 96, { size: 6 })]), ['stable2']);
  });

  it('reads one column after the other', () => {
    const lines = textOf([...column('left', 50), ...column('right', 320)]);
    assert.match(lines[11] ?? '', /^left 11/);
    assert.match(lines[12] ?? '', /^right 0/);
  });

  it('reads columns in order even when the page was written across them', () => {
    const left = column('left', 50);
    const right = column('right', 320);
    const lines = textOf(left.flatMap((line, row) => [line, right[row] ?? line]));
    assert.match(lines[11] ?? '', /^left 11/);
    assert.match(lines[12] ?? '', /^right 0/);
  });

  it('reads a title across both columns before either', () => {
    const title = run('A title that stretches across both of the columns below it', 60, 60, {
      size: 16,
    });
    const lines = textOf([...column('left', 50), ...column('right', 320), title]);
    assert.match(lines[0] ?? '', /^A title/);
    assert.match(lines[1] ?? '', /^left 0/);
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

  it('reads a page that is turned by a quarter', () => {
    const turned = [run('first line', 500, 100), run('second line', 488, 100)];
    assert.deepEqual(textOf(turned, 1), ['first line', 'second line']);
  });

  it('knows text that no one can see: off the page, or too small to read', () => {
    const unseen = (text: TextRun, quarter = 0) => reasonUnseen(text, quarter, frame);
    assert.equal(unseen(run('seen', 50, 100)), undefined);
    assert.equal(unseen(run('off the page', 50, -40)), 'off_page');
    assert.equal(unseen(run('tiny', 50, 200, { size: 0.5 })), 'tiny');
    assert.equal(unseen(run('a stamp along the margin', 50, -40), 1), undefined);
  });

  it('takes text that is drawn twice to fake bold only once', () => {
    assert.deepEqual(textOf([run('Warning', 50, 100), run('Warning', 50.4, 100)]), ['Warning']);
  });

  it('keeps the spaces of monospaced text', () => {
    const mono = { mono: true, width: 18 };
    assert.deepEqual(textOf([run('foo', 50, 100, mono), run('bar', 98, 100, mono)]), [
      'foo     bar',
    ]);
  });
});

describe('cleaning text', () => {
  it('spells out ligatures and composes accents', () => {
    assert.equal(
      cleanText(
        'o\ufb03ce Instalacio\u0301n\u00a0aqu\u0131\u0301'.replace('\u0131\u0301', 'i\u0301'),
      ),
      'office Instalación aquí',
    );
  });

  it('drops what cannot be seen and keeps soft hyphens', () => {
    assert.equal(cleanText('zero\u200bwidth\u0000 soft\u00adhyphen'), 'zerowidth soft\u00adhyphen');
  });

  it('mends the tree that a toolchain garbled', () => {
    assert.equal(mendListing("b''├b''b''─b''b''─b'' src"), '├── src');
    assert.equal(mendListing("print(b'bytes')"), "print(b'bytes')");
  });
});
