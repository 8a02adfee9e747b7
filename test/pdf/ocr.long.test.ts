import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { characterErrorRate } from '../../bench/pdf/scans.js';
import { loadTools, measureScan, scanKinds } from '../../bench/pdf/ocr.js';
import { recognizePage } from '../../src/pdf/ocr/recognize-page.js';
import { openPdf } from '../../src/pdf/reader/open-pdf.js';
import { readFixture } from './build-pdf.js';
import { slipCodecs } from './slips.js';

describe('Text recognition', () => {
  let tools: Awaited<ReturnType<typeof loadTools>>;
  before(async () => {
    tools = await loadTools();
  });

  // How a page lies is found without its language.
  const kinds = scanKinds.filter(
    ({ language, dpi, skew }) => language === 'de' || (dpi === 300 ? skew === 0.8 : skew === 2),
  );
  for (const kind of kinds) {
    const { language, dpi, skew, quarters } = kind;
    // The promise: at most 2 characters of 100 are wrong at 300 dpi, and 5 at 150.
    const most = dpi === 300 ? 0.02 : 0.05;
    it(`reads ${language} at ${dpi} dpi, ${skew}° askew and turned by ${quarters * 90}°`, async () => {
      const { errorRate } = await measureScan(kind, tools);
      assert.ok(errorRate <= most, `${(100 * errorRate).toFixed(2)} %`);
    });
  }

  for (const codec of slipCodecs) {
    it(`reads a picture in ${codec}`, async () => {
      const seen = openPdf(await readFixture(`slip.${codec}.pdf`)).readPictures(1);
      const { page } = await recognizePage(seen, 1, tools);
      const text = page.lines.map((line) => line.text).join('\n');
      const truth = await readFile('test/fixtures/pdf/slip.txt', 'utf8');
      assert.ok(characterErrorRate(truth, text) <= 0.02, text);
    });
  }
});
