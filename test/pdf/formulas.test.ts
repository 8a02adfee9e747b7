import assert from 'node:assert/strict';
import { layOutPage } from '../../src/pdf/layout/lay-out-page.js';
import type { Rule, TextRun } from '../../src/pdf/layout/page.js';
import { assembleSections } from '../../src/pdf/sections/assemble.js';
import { makePage } from './make-lines.js';

const frame = { number: 1, width: 600, height: 800 };

type Piece = [text: string, x: number, y?: number, size?: number, traits?: Partial<TextRun>];

/** Runs of letters half as wide as their size, in the order of the content stream. */
function textOf(pieces: readonly Piece[], rules: readonly Rule[] = []): string[] {
  const plain = { bold: false, italic: false, mono: false, rightToLeft: false, spaced: false };
  const runs = pieces.map(([text, x, y = 100, size = 10, traits = {}]) => {
    const width = text.length * size * 0.5;
    return { quarter: 0, run: { text, x, y, size, width, ...plain, ...traits } };
  });
  const { lines } = layOutPage(runs, frame, { rules, drawings: [], shades: [] });
  return lines.map(({ text }) => text);
}

const italic = { italic: true };

describe('Formulas', () => {
  it('have the indices and powers of their variables in the line', () => {
    const amplitude: Piece[] = [
      ['A', 50, 100, 10, italic],
      ['ml', 55, 96, 7, italic],
      ['1', 55, 103, 7],
      [',', 58.5, 103, 7],
      ['39', 62, 103, 7],
    ];
    const wave: Piece[] = [
      ['(', 70],
      ['r', 75, 100, 10, italic],
      ['0', 80, 101.5, 7],
      ['+ ', 86],
      ['x', 96, 100, 10, italic],
      ['i', 101, 101.5, 7, italic],
      ['y', 105, 100, 10, italic],
      [')', 110],
      ['−', 115, 96, 7],
      ['1', 118.5, 96, 7],
    ];
    assert.deepEqual(textOf([...amplitude, ...wave]), ['A_{1,39}^{ml}(r₀ + x_i y)⁻¹']);
  });

  it('are told from marks of notes, names of chemistry and trade marks', () => {
    const lines: Piece[][] = [
      [
        ['stable', 50],
        ['2', 80, 96, 7],
        [' and later', 84],
      ],
      [
        ['H', 50, 120],
        ['2', 55, 122, 7],
        ['O', 58.5, 120],
        [' and V', 64, 120],
        ['CC', 94, 122, 7],
      ],
      [
        ['a (long remark)', 50, 140],
        ['3', 125, 136, 7],
      ],
      [
        ['Name', 50, 160],
        ['TM', 70, 156, 7],
        [' of the 20', 77, 160],
        ['th', 127, 156, 7],
      ],
    ];
    assert.deepEqual(textOf(lines.flat()), [
      'stable[^2] and later',
      'H2O and VCC',
      'a (long remark)[^3]',
      'NameTM of the 20th',
    ]);
  });

  it('have the limits of sums, and tall brackets, in the line', () => {
    const sum: Piece[] = [
      ['s = ', 50],
      ['N−1', 71, 88, 7],
      ['∑', 72, 90],
      ['n', 71, 110, 7, italic],
      ['=0', 74.5, 110, 7],
      ['(', 83, 92],
      ['x', 88],
      ['+ 1', 95],
      [')', 110, 92],
      ['.', 115],
    ];
    assert.deepEqual(textOf(sum), ['s = ∑_{n=0}^{N−1} (x + 1).']);
    // The fraction is higher than a line, and what closes both brackets is drawn as one text.
    const fraction: Piece[] = [
      ['u', 60],
      ['((', 65, 84.5],
      ['a', 76, 92.5],
      ['b', 76, 107.5],
      ['))', 82, 84.5],
      ['= c', 96],
    ];
    const line = { across: true, at: 98, from: 75.5, to: 81.5 };
    assert.deepEqual(textOf(fraction, [line]), ['u((a/b)) = c']);
    const integral: Piece[] = [
      ['For example, the integral', 50, 81],
      ['∫', 85.6, 87.5],
      ['∞', 95.6, 90, 7],
      ['1', 91.1, 110, 7],
      ['f(x)', 108.7, 94.3],
      ['1 +x', 107.9, 107.9],
      ['dx', 131, 101],
    ];
    const bar = { across: true, at: 98, from: 106.8, to: 129.8 };
    assert.deepEqual(textOf(integral, [bar])[1], '∫₁^∞ f(x)/(1 +x) dx');
  });

  it('have the limits behind a sum in a sentence, and both indices behind a brace', () => {
    const sum: Piece[] = [
      ['where ', 20],
      ['∑', 50, 92],
      ['N', 55, 95, 7, italic],
      ['j', 55, 102.5, 7, italic],
      ['=1', 58.5, 102.5, 7],
      ['Q', 67, 100, 10, italic],
    ];
    const family: Piece[] = [
      ['draws ', 20],
      ['{', 50],
      ['s', 55, 100, 10, italic],
      ['i', 60, 101.5, 7, italic],
      ['}', 64],
      ['q', 69, 95, 7, italic],
      ['−1', 72.5, 95, 7],
      ['i', 69, 103, 7, italic],
      ['=0', 72.5, 103, 7],
      ['at random', 88],
    ];
    assert.deepEqual(textOf(sum), ['where ∑_{j=1}^N Q']);
    assert.deepEqual(textOf(family), ['draws {s_i}_{i=0}^{q−1} at random']);
  });

  it('keep the limits of one sum apart from those of the next', () => {
    const sums: Piece[] = [
      ['= ', 50],
      ['2', 63, 88, 7],
      ['∑', 62, 90],
      ['s', 63, 110, 7, italic],
      ['4', 73, 88, 7],
      ['∑', 72, 90],
      ['l', 73, 110, 7, italic],
      ['x', 80],
    ];
    assert.deepEqual(textOf(sums), ['= ∑_s^2 ∑_l^4 x']);
  });

  it('leave the brackets of a program in their lines', () => {
    const program: Piece[] = [
      ['main()', 50],
      ['{', 50, 112],
      ['return 0;', 60, 124],
      ['}', 50, 136],
      ['end', 50, 148],
    ];
    assert.equal(textOf(program).length, 5);
  });

  it('keep fractions beside a variable, and the indices in a fraction', () => {
    const bar: Rule = { across: true, at: 97.5, from: 71, to: 84 };
    const fraction: Piece[] = [
      ['y =', 50],
      ['x', 73, 93, 10, italic],
      ['i', 78, 94.5, 7, italic],
      ['2', 75, 107],
    ];
    assert.deepEqual(textOf(fraction, [bar]), ['y = x_i/2']);
  });

  it('have accents over variables that no language has, and struck signs', () => {
    const hat: Piece[] = [
      ['ˆ', 50],
      ['β', 50, 100, 10, italic],
      [' ', 55],
      ['\u0338', 59.5, 100, 10, { width: 0.1 }],
      ['= 0', 59],
    ];
    assert.deepEqual(textOf(hat), ['β\u0302 ≠ 0']);
  });

  it('have a bracket over several lines in the middle of them, whatever it is made of', () => {
    const pieces: Piece[] = [
      ['f(x) =', 50, 112],
      ['⎧', 82, 90],
      ['⎨', 82, 105],
      ['⎩', 82, 118],
    ];
    const cases: Piece[] = [
      ['1', 92, 100],
      ['x', 92, 112],
      ['0', 92, 124],
    ];
    assert.deepEqual(textOf([...pieces, ...cases]), ['1', 'f(x) = { x', '0']);
    // These parts stand on their baselines.
    const standing: Piece[] = [
      ...[['⎛', 72, 93.5] as Piece, ['⎜', 72, 103] as Piece, ['⎝', 72, 110] as Piece],
      ['noise', 78, 92.5],
      ['2.35', 80, 108.5],
    ];
    const bar = { across: true, at: 97, from: 77, to: 104 };
    const behind: Piece = ['+ x', 110];
    assert.deepEqual(textOf([['s =', 50], ...standing, behind], [bar]), ['s = (noise/2.35 + x']);
  });

  it('are paragraphs of their own with their number, not tables, lists or headings', () => {
    const lines = [
      'The mass of what is shown in the figure is given by this equation, and the energy by',
      'E = mc²\t(1)',
      'a² + b² = c²\t(2)',
      'F = ma_i\t(3)',
      'where the first one is the best known of all the equations that are printed here.',
      { text: 'Σ(x) = Σ(y) × 2', bold: true, size: 14, y: 200 },
      { text: 'The text goes on below a formula that is larger than the text around it.', y: 220 },
    ];
    const limits = { sectionMaxChars: 4000, sectionMinChars: 0 };
    const sections = assembleSections([makePage(1, lines)], [], '', limits);
    assert.equal(sections.length, 1);
    const [content = ''] = sections.map((section) => section.content);
    assert.deepEqual(content.split('\n\n').slice(1, 4), [
      'E = mc² (1)',
      'a² + b² = c² (2)',
      'F = ma_i (3)',
    ]);
  });
});
