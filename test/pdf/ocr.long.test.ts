import assert from 'node:assert/strict';
import { loadTools, measureScan, scanKinds } from '../../bench/pdf/ocr.js';

describe('Text recognition', () => {
  let tools: Awaited<ReturnType<typeof loadTools>>;
  before(async () => {
    tools = await loadTools();
  });

  for (const kind of scanKinds) {
    const { language, dpi, skew, quarters } = kind;
    // The promise: at most 2 characters of 100 are wrong at 300 dpi, and 5 at 150.
    const most = dpi === 300 ? 0.02 : 0.05;
    it(`reads ${language} at ${dpi} dpi, ${skew}° askew and turned by ${quarters * 90}°`, async () => {
      const { errorRate } = await measureScan(kind, tools);
      assert.ok(errorRate <= most, `${(100 * errorRate).toFixed(2)} %`);
    });
  }
});
