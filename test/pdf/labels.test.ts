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

const at = (x: number, y: number, text: string, size = 10) =>
  `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET\n`;

const prose = (y: number) =>
  at(50, y, 'The sensor reads the light ten times a second and sends it to the board.') +
  at(50, y - 12, 'It stops when nobody asked for a value during the last five minutes.');

/** A curve of many slanted pieces between two axes. */
const plot =
  '100 400 m 100 550 l S 100 400 m 400 400 l S 100 400 m ' +
  Array.from({ length: 20 }, (_, step) => `${110 + step * 14} ${410 + (step % 2) * 60} l`).join(
    ' ',
  ) +
  ' S\n';

async function contentOf(page: string): Promise<string> {
  const extractor = createPdfExtractor({ workers: 1, workerMemoryMb: 256 });
  try {
    const { sections } = await extractor.extract(rawPdf({ pages: [page] }), options, {
      onPages: () => undefined,
    });
    return sections.map((section) => section.content).join('\n\n');
  } finally {
    await extractor.close();
  }
}

describe('Labels of a drawing', () => {
  it('are left out of a divided box that stands beside running text', async () => {
    const box = '430 620 m 430 710 l 560 710 l 560 620 l 430 620 l S 430 650 m 560 650 l S ';
    const parts = `${box} 510 650 m 510 710 l S\n`;
    const labels = at(440, 680, 'The map') + at(520, 680, 'Stats') + at(440, 632, 'Messages');
    const content = await contentOf(parts + labels + prose(690) + prose(666));
    assert.doesNotMatch(content, /The map|Stats|Messages/);
    assert.match(content, /sends it to the board/);
  });

  it('are left out with the numbers at its axes, and the text around it stays', async () => {
    const labels = at(150, 520, 'Light') + at(300, 500, 'Dark current') + at(250, 450, 'Noise');
    const ticks = at(100, 390, '0') + at(240, 390, '20 ms') + at(380, 390, '40 ms');
    const content = await contentOf(prose(700) + plot + labels + ticks + prose(300));
    assert.doesNotMatch(content, /Dark current|Noise|20 ms/);
    assert.equal(content.match(/sends it to the board/g)?.length, 2);
  });

  it('are left out with numbers at an axis whose signs are drawn one by one', async () => {
    const tick = (y: number, whole: string) =>
      `BT /F1 10 Tf 84 ${y} Td (${whole}) Tj 5.6 0 Td (.) Tj 2.8 0 Td (5) Tj ET\n`;
    const content = await contentOf(
      prose(700) + plot + tick(440, '1') + tick(490, '2') + prose(300),
    );
    assert.doesNotMatch(content, /1\.5|2\.5/);
    assert.equal(content.match(/sends it to the board/g)?.length, 2);
  });

  it('are left out with long numbers and the name of an axis, but not a note or a caption', async () => {
    const names = at(76, 500, '16,777,216', 5) + at(220, 380, 'Types of requests', 5);
    const note = at(420, 500, 'NOTE: the sensor', 5) + at(420, 493, 'may be dark', 5);
    const caption = at(150, 378, 'Figure 18a', 5);
    const content = await contentOf(prose(700) + plot + names + note + caption + prose(300));
    assert.doesNotMatch(content, /16,777|Types of/);
    assert.match(content, /NOTE: the sensor/);
    assert.match(content, /Figure 18a/);
  });

  it('are left out beside and below a drawing with a caption, but not headings or captions of parts', async () => {
    // The drawing ends at 400 and 550, the caption begins at 360.
    const labels = at(92, 553, 'p') + at(404, 470, 'q') + at(230, 383, 'Generation', 8);
    const part = at(120, 383, '\\(a\\) before');
    const heading = at(50, 580, '2.1 Best Values');
    const caption = at(150, 360, 'Figure 18: the noise of the sensor');
    const content = await contentOf(
      prose(700) + heading + plot + labels + part + caption + prose(300),
    );
    assert.doesNotMatch(content, /Generation|^[pq]$/m);
    assert.match(content, /Best Values/);
    assert.match(content, /\(a\) before/);
    assert.match(content, /Figure 18: the noise/);
  });

  it('are left out where a curve is drawn in small steps, with its title and the name below its axis', async () => {
    const steps = Array.from({ length: 700 }, (_, step) => {
      const x = 100 + step * 0.4;
      return `${x.toFixed(2)} ${(475 + 70 * Math.sin(x / 20)).toFixed(2)} l`;
    });
    const curve = `100 475 m ${steps.join(' ')} S\n`;
    const names = at(205, 562, 'Mean light', 14) + at(220, 355, 'Samples');
    const chart = curve + names + at(350, 562, 'Aside');
    const ticks = at(100, 385, '20.0') + at(230, 385, '20.5') + at(360, 385, '21.0');
    const content = await contentOf(prose(700) + chart + ticks + prose(300));
    assert.doesNotMatch(content, /Mean light|Samples|20\.5/);
    assert.match(content, /Aside/);
    assert.match(await contentOf(prose(700) + chart + prose(300)), /Mean light[^]*Samples/);
    const close = curve + at(205, 562, 'Mean light', 14) + at(220, 374, 'Samples');
    assert.doesNotMatch(
      await contentOf(prose(700) + close + ticks + prose(300)),
      /Mean light|Samples|20\.5/,
    );
  });

  it('stay where a paragraph stands on the drawing', async () => {
    const text =
      at(120, 520, 'Turn the wheel until the needle points at the mark, and') +
      at(120, 508, 'hold it there.') +
      at(120, 450, 'Wheel') +
      at(300, 450, 'Needle');
    const content = await contentOf(prose(700) + plot + text);
    assert.match(content, /hold it there\./);
    assert.match(content, /Wheel/);
  });

  it('are not what stands in a box with round corners', async () => {
    const box =
      '110 400 m 390 400 l 395 400 400 405 400 410 c 400 540 l 400 545 395 550 390 550 c ' +
      '110 550 l 105 550 100 545 100 540 c 100 410 l 100 405 105 400 110 400 c S\n';
    const content = await contentOf(
      prose(700) + box + at(120, 520, 'Caution') + at(120, 450, 'Hot surface'),
    );
    assert.match(content, /Caution/);
    assert.match(content, /Hot surface/);
  });

  it('are left out of a chart of straight lines, with the names below it', async () => {
    const axes = '200 400 m 200 500 l S 200 400 m 400 400 l S 220 400 m 220 470 l S\n';
    const numbers = [0, 20, 40, 60, 80].map((value, step) =>
      at(182, 397 + 25 * step, `${value}`.padStart(2, ' ')),
    );
    const names = at(210, 385, 'May') + at(280, 385, 'June') + at(350, 385, 'July');
    const turned = 'BT /F1 10 Tf 0 1 -1 0 170 430 Tm (Light per month) Tj ET\n';
    const content = await contentOf(
      prose(700) + axes + numbers.join('') + names + turned + prose(300),
    );
    assert.doesNotMatch(content, /\d0|June|Light per/);
    assert.equal(content.match(/sends it to the board/g)?.length, 2);
  });

  it('are left out of a chart whose lines across begin at its numbers', async () => {
    const steps = [0, 20, 40, 60, 80];
    const grid = steps.map((_, step) => `200 ${400 + 25 * step} m 400 ${400 + 25 * step} l S\n`);
    const numbers = steps.map((value, step) =>
      at(182, 397 + 25 * step, `${value}`.padStart(2, ' ')),
    );
    const content = await contentOf(prose(700) + grid.join('') + numbers.join('') + prose(300));
    assert.doesNotMatch(content, /[2468]0/);
    assert.equal(content.match(/sends it to the board/g)?.length, 2);
  });

  it('are left out of a chart whose upright axis has turned numbers', async () => {
    const frame = '200 400 m 200 500 l S 200 400 m 400 400 l S 400 400 m 400 500 l S\n';
    const numbers = [0, 20, 40, 60].map((value, step) => at(210 + 50 * step, 385, `${value}`));
    const turned = 'BT /F1 10 Tf 0 1 -1 0 190 430 Tm (5 10 15 Light per month) Tj ET\n';
    const row = prose(700) + numbers.join('') + turned + prose(300);
    assert.doesNotMatch(await contentOf(row + frame), /[246]0|5 10|Light per/);
    // Without lines at its sides, it is the head of a table.
    assert.match(await contentOf(`${row}200 400 m 400 400 l S\n`), /0 20 40 60/);
  });

  it('are no numbers of lines, which grow from the top to the bottom', async () => {
    const frame = '200 400 m 200 520 l S 200 400 m 400 400 l S 200 520 m 400 520 l S\n';
    const numbers = [50, 40, 30, 20, 10].map((value, step) => at(182, 402 + 25 * step, `${value}`));
    const content = await contentOf(prose(700) + frame + numbers.join('') + prose(300));
    for (const value of [10, 30, 50]) assert.match(content, new RegExp(`${value}`));
  });

  it('stay on a page that holds nothing else', async () => {
    const content = await contentOf(plot + at(150, 520, 'Light') + at(300, 500, 'Dark current'));
    assert.match(content, /Dark current/);
  });
});
