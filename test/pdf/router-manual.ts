import type { ExtractOptions } from '../../src/documents/threads/extract-pdf.js';
import { buildPdf, writeLines } from './build-pdf.js';

export const options: ExtractOptions = {
  maxPages: 500,
  pageTimeoutMs: 20_000,
  fileTimeoutMs: 60_000,
  sectionMaxChars: 4000,
  sectionMinChars: 0,
};

/** A manual with a header, a heading, two lines of text and a page number on each page. */
export function manual(pages: number): Promise<Uint8Array> {
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
