import assert from 'node:assert/strict';
import { layOutPage } from '../../src/pdf/layout/lay-out-page.js';
import type { Rule, TextRun } from '../../src/pdf/layout/page.js';

const frame = { number: 1, width: 600, height: 800 };

function run(text: string, x: number, y: number, size = 10): TextRun {
  const plain = { bold: false, italic: false, mono: false, rightToLeft: false, spaced: false };
  return { text, x, y, size, width: text.length * size * 0.5, ...plain };
}

const bar = (at: number, from: number, to: number): Rule => ({ across: true, at, from, to });

function textOf(runs: readonly TextRun[], rules: readonly Rule[]): string[] {
  const placed = runs.map((each) => ({ quarter: 0, run: each }));
  return layOutPage(placed, frame, { rules, drawings: [], shades: [] }).lines.map(
    ({ text }) => text,
  );
}

describe('Stacked fractions', () => {
  it('become one line, with the bar as a slash', () => {
    const before = run('a resolution of', 50, 100);
    const small = [run('1', 135, 96, 7), run('4095', 130, 103.5, 7), run('.', 145, 100)];
    assert.deepEqual(textOf([before, ...small], [bar(97.5, 130, 144)]), [
      'a resolution of 1/4095.',
    ]);
  });

  it('get brackets around a side of several terms, and around a product below the bar', () => {
    const sum = [run('x =', 50, 100), run('a + b', 70, 93), run('2c', 77, 107)];
    assert.deepEqual(textOf(sum, [bar(97.5, 70, 95)]), ['x = (a + b)/(2c)']);
  });

  it('keep the powers of their sides', () => {
    const square = [run('c =', 50, 100), run('1', 73, 93), run('α', 70, 107), run('2', 75, 103, 7)];
    assert.deepEqual(textOf(square, [bar(97.5, 70, 79)]), ['c = 1/α²']);
  });

  it('may stand alone, if they have a variable or are two small numbers', () => {
    const power = [{ ...run('x', 70, 93), italic: true }, run('4', 70, 107)];
    assert.deepEqual(textOf(power, [bar(97.5, 70, 75)]), ['x/4']);
    const third = [run('1', 70, 93, 7), run('3', 70, 101.5, 7), run('0', 120, 100)];
    assert.deepEqual(textOf(third, [bar(95.5, 69.5, 74)]), ['1/3 0']);
    const sum = [run('12', 70, 93), run('34', 70, 107)];
    assert.deepEqual(textOf(sum, [bar(97.5, 60, 80)]), ['12', '34']);
  });

  it('are read from the inside', () => {
    const inner = [run('1', 70, 90, 7), run('T', 70, 97.5, 7), run('+ 1', 78, 94)];
    const outer = [run('y =', 50, 104), run('2', 79, 111)];
    const rules = [bar(91.5, 69.5, 74), bar(101.5, 69, 94)];
    assert.deepEqual(textOf([...inner, ...outer], rules), ['y = (1/T + 1)/2']);
  });

  it('keep the bars of an absolute value, whose last letter has an index', () => {
    const value = (x: number, y: number) => [
      run('|', x, y),
      { ...run('q', x + 5, y), italic: true },
      run('c', x + 10, y + 2, 7),
      run('|', x + 14, y),
    ];
    const runs = [run('p =', 50, 100), ...value(72, 93), ...value(72, 107), run('r', 95, 100)];
    assert.deepEqual(textOf(runs, [bar(97.5, 72, 91)]), ['p = |q_c|/(|q_c|) r']);
  });

  it('take large brackets to their line', () => {
    const tall = [run('(', 68, 87), run(')', 81, 87)];
    const runs = [run('tan', 50, 100), ...tall, run('x', 74, 93), run('2', 74, 107)];
    assert.deepEqual(textOf(runs, [bar(97.5, 74, 79)]), ['tan (x/2)']);
  });

  it('are not made of headings with a line under them', () => {
    const runs = [run('Syntax', 50, 100), run('Option', 50, 112), run('Text below it', 50, 124)];
    assert.deepEqual(textOf(runs, [bar(102, 50, 80)]), ['Syntax', 'Option', 'Text below it']);
  });

  it('are not made of numbers above and below the line of a sum or a box', () => {
    const sum = [run('1200', 150, 100), run('1300', 150, 114)];
    assert.equal(
      textOf([run('Total', 50, 114), ...sum], [bar(104, 150, 170)]).join('|'),
      '1200|Total 1300',
    );
    const cells = [run('1200', 150, 93), run('1300', 150, 107), run('Name', 120, 100)];
    const box = [bar(82, 150, 170), bar(97.5, 150, 170), bar(113, 150, 170)];
    assert.ok(!textOf(cells, box).join(' ').includes('/'));
  });

  it('and roots show what is under the root', () => {
    const root = [run('r =', 50, 100), run('√', 70, 92), run('xy', 75, 100), run('.', 85, 100)];
    assert.deepEqual(textOf(root, [bar(91.8, 75, 85)]), ['r = √(xy).']);
    const one = [run('r =', 50, 100), run('√', 70, 92), run('2', 75, 100), run('.', 80, 100)];
    assert.deepEqual(textOf(one, [bar(91.8, 75, 80)]), ['r = √2.']);
  });
});
