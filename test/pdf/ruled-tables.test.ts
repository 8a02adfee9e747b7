import assert from 'node:assert/strict';
import { createPdfExtractor } from '../../src/documents/threads/extract-pdf.js';
import { rawPdf } from './raw-pdf.js';

const options = {
  maxPages: 10,
  pageTimeoutMs: 10_000,
  fileTimeoutMs: 20_000,
  sectionMaxChars: 4000,
  sectionMinChars: 10,
};

const at = (x: number, y: number, text: string, font = 'F1') =>
  `BT /${font} 10 Tf ${x} ${y} Td (${text}) Tj ET\n`;

interface Drawing {
  /** The edges of the columns, and of the rows from the bottom. */
  xs: number[];
  ys: number[];
  /** The rule's PDF operators, from (x0, y0) to (x1, y1). */
  rule: (x0: number, y0: number, x1: number, y1: number) => string;
}

const stroked = (x0: number, y0: number, x1: number, y1: number) =>
  `${x0} ${y0} m ${x1} ${y1} l S\n`;
const filled = (x0: number, y0: number, x1: number, y1: number) =>
  `${x0} ${y0} ${Math.max(x1 - x0, 0.5)} ${Math.max(y1 - y0, 0.5)} re f\n`;
/** A narrow shape whose ends are cut off aslant, so that it meets the lines that cross it. */
const mitred = (x0: number, y0: number, x1: number, y1: number) =>
  x1 > x0
    ? `${x0} ${y0} m ${x0 + 0.5} ${y0 + 0.5} l ${x1 - 0.5} ${y0 + 0.5} l ${x1} ${y0} l ${x1 - 0.5} ${y0 - 0.5} l ${x0 + 0.5} ${y0 - 0.5} l h f\n`
    : `${x0} ${y0} m ${x0 + 0.5} ${y0 + 0.5} l ${x0 + 0.5} ${y1 - 0.5} l ${x0} ${y1} l ${x0 - 0.5} ${y1 - 0.5} l ${x0 - 0.5} ${y0 + 0.5} l h f\n`;

/** Draws each side of each cell separately, as many producers do. */
function drawGrid({ xs, ys, rule }: Drawing): string {
  let drawn = '';
  for (const [c, x] of xs.entries()) {
    for (const [r, y] of ys.entries()) {
      const [nextX, nextY] = [xs[c + 1], ys[r + 1]];
      if (nextX !== undefined) drawn += rule(x, y, nextX, y);
      if (nextY !== undefined) drawn += rule(x, y, x, nextY);
    }
  }
  return drawn;
}

async function contentOf(pages: string[]): Promise<string> {
  const extractor = createPdfExtractor({ workers: 1, workerMemoryMb: 256 });
  try {
    const { sections } = await extractor.extract(rawPdf({ pages }), options, {
      onPages: () => undefined,
    });
    return sections.map((section) => section.content).join('\n\n');
  } finally {
    await extractor.close();
  }
}

const prose = (y: number) =>
  at(50, y, 'Some text stands around the table so that it is not the only thing on the page.');

describe('A table with lines between its cells', () => {
  for (const [how, rule] of [
    ['lines', stroked],
    ['narrow rectangles', filled],
    ['lines with slanted ends', mitred],
  ] as const) {
    it(`keeps cells with several lines of text if ${how} separate them`, async () => {
      const grid = drawGrid({ xs: [50, 150, 350], ys: [600, 640, 680, 700], rule });
      const cells =
        at(55, 686, 'Port', 'B') +
        at(155, 686, 'Meaning', 'B') +
        at(55, 655, '80') +
        at(155, 668, 'plain pages, which should') +
        at(155, 656, 'be turned over to the other') +
        at(155, 644, 'one') +
        at(55, 620, '443') +
        at(155, 620, 'encrypted pages');
      assert.match(
        await contentOf([prose(750) + grid + cells + prose(550)]),
        /\| Port \| Meaning \|\n\| --- \| --- \|\n\| 80 \| plain pages, which should be turned over to the other one \|\n\| 443 \| encrypted pages \|/,
      );
    });
  }

  it('is recognized without lines at its left and right', async () => {
    const rules = [700, 680, 660, 640].map((y) => stroked(50, y, 350, y)).join('');
    const middle = stroked(150, 640, 150, 700);
    const cells = ['one', 'two', 'three']
      .map((word, row) => at(55, 686 - row * 20, word) + at(155, 686 - row * 20, `means ${word}`))
      .join('');
    assert.match(
      await contentOf([prose(750) + rules + middle + cells + prose(550)]),
      /- one: means one\n- two: means two\n- three: means three/,
    );
  });

  it('has one cell where no line divides two columns', async () => {
    const grid =
      drawGrid({ xs: [50, 150, 350], ys: [620, 640, 660], rule: stroked }) +
      drawGrid({ xs: [50, 350], ys: [660, 680], rule: stroked });
    const cells =
      at(55, 666, 'Both columns at once') +
      at(55, 646, 'left') +
      at(155, 646, 'right') +
      at(55, 626, 'low') +
      at(155, 626, 'high');
    const content = await contentOf([prose(750) + grid + cells + prose(550)]);
    assert.match(content, /Both columns at once/);
    assert.match(content, /left[^\n]*right/);
    assert.match(content, /low[^\n]*high/);
  });

  it('continues on the next page, without the repeated heading', async () => {
    const page = (from: number, words: string[], around: string) => {
      const ys = [0, 1, 2, 3].map((row) => from - row * 20).reverse();
      const grid = drawGrid({ xs: [50, 150, 250, 350], ys, rule: stroked });
      const rows = [
        ['Name', 'Size', 'Use'],
        ...words.map((word) => [word, `${word} size`, `${word} use`]),
      ];
      const cells = rows
        .flatMap((row, r) =>
          row.map((cell, c) => at(55 + c * 100, from - 14 - r * 20, cell, r === 0 ? 'B' : 'F1')),
        )
        .join('');
      return around + grid + cells;
    };
    const content = await contentOf([
      page(200, ['first', 'second'], prose(750)),
      page(760, ['third', 'fourth'], prose(500)),
    ]);
    assert.match(
      content,
      /\| Name \| Size \| Use \|\n\| --- \| --- \| --- \|\n\| first [^\n]*\n\| second [^\n]*\n\| third [^\n]*\n\| fourth [^\n]*/,
    );
    assert.equal(content.match(/Name \| Size/g)?.length, 1);
  });

  it('is not made of a box around running text', async () => {
    const box = '40 540 400 180 re S 60 560 m 60 700 l S\n';
    const lines = [690, 678, 666, 654]
      .map((y) => at(70, y, 'A note in a box with a bar beside it reads as a paragraph'))
      .join('');
    const content = await contentOf([prose(750) + box + lines + prose(500)]);
    assert.doesNotMatch(content, /\|/);
  });
});
