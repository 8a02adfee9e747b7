import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { multiply, quarterOf, toMatrix, type Matrix } from '../content/matrix.js';
import type { HiddenText, PageText, PlacedRun } from '../../layout/page.js';
import { reasonUnseen } from '../../layout/unseen.js';
import type { FontBook } from './font-book.js';

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;
function place(content: TextContent, view: Matrix, fonts: FontBook): PlacedRun[] {
  const placed: PlacedRun[] = [];
  let spaced = false;
  for (const item of content.items) {
    if (!('str' in item)) continue;
    if (item.str.trim() === '') {
      spaced ||= item.width > 0;
      continue;
    }
    const matrix = multiply(view, toMatrix(item.transform));
    const size = Math.hypot(matrix[2], matrix[3]);
    placed.push({
      quarter: quarterOf(matrix[0], matrix[1]),
      run: {
        text: item.str,
        x: matrix[4],
        y: matrix[5],
        width: item.width,
        size,
        rightToLeft: item.dir === 'rtl',
        spaced,
        ...fonts.traitsOf(item.fontName),
      },
    });
    spaced = false;
  }
  return placed;
}

/**
 * Reads one page with pdf.js. Its text content says nothing of colours: of hidden text only what is tiny or off the
 * page is found. Throws what pdf.js throws.
 */
export async function readPageText(page: PDFPageProxy, fonts: FontBook): Promise<PageText> {
  const content = await page.getTextContent();
  await fonts.learn(page, content);
  const viewport = page.getViewport({ scale: 1 });
  const { width, height } = viewport;
  const runs: PlacedRun[] = [];
  const hidden: HiddenText[] = [{ page: page.pageNumber, reason: 'unchecked', text: '' }];
  for (const placed of place(content, toMatrix(viewport.transform), fonts)) {
    const reason = reasonUnseen(placed.run, placed.quarter, viewport);
    if (reason === undefined) runs.push(placed);
    else hidden.push({ page: page.pageNumber, reason, text: placed.run.text });
  }
  // The fonts stay: they are shared by all pages of the document.
  page.cleanup();
  return { width, height, runs, rules: [], hidden };
}
