import assert from 'node:assert/strict';
import { createPdfExtractor, type ExtractOptions } from '../../src/pdf/threads/extract-pdf.js';
import { buildPdf, writeLines } from './build-pdf.js';
import { hostileFiles } from './hostile/hostile-files.js';

const options: ExtractOptions = {
  maxPages: 500,
  pageTimeoutMs: 20_000,
  fileTimeoutMs: 60_000,
  sectionMaxChars: 4000,
  sectionMinChars: 0,
};

function manual(pages: number): Promise<Uint8Array> {
  return buildPdf((document) => {
    for (let page = 1; page <= pages; page++) {
      document.addPage();
      document.font('Helvetica').fontSize(9).text('Router manual', 60, 30, { lineBreak: false });
      document.text(`${page}`, 300, 810, { lineBreak: false });
      document
        .font('Helvetica-Bold')
        .fontSize(18)
        .text(`Topic ${String.fromCharCode(64 + page)}`, 60, 80);
      document.font('Helvetica').fontSize(11);
      writeLines(
        document,
        [`Advice number ${page} fills a line of this page.`, 'It is short.'],
        60,
        120,
      );
    }
  });
}

describe('an extractor whose thread runs out of memory', () => {
  it("reports a thread that runs out of memory as the file's fault, and lives on", async () => {
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
