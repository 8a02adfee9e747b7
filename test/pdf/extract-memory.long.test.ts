import assert from 'node:assert/strict';
import { createPdfExtractor } from '../../src/documents/threads/extract-pdf.js';
import { hostileFiles } from './hostile/hostile-files.js';
import { manual, options } from './router-manual.js';

describe('A PDF extractor', () => {
  it('reports out_of_memory for a file that needs too much, and continues with other files', async () => {
    const extractor = createPdfExtractor({ workers: 1, workerMemoryMb: 64 });
    const swelling = hostileFiles['a page of millions of words']?.() ?? Buffer.alloc(0);
    const read = (bytes: Uint8Array) =>
      extractor.extract(bytes, options, { onPages: () => undefined });
    try {
      for (let count = 0; count < 2; count++) {
        await assert.rejects(read(swelling), { code: 'out_of_memory', page: 1 });
      }
      assert.equal((await read(await manual(3))).pageCount, 3);
    } finally {
      await extractor.close();
    }
  });
});
