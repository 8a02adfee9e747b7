import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PageLines, TextRun } from '../layout/page.js';
import { layOutPage } from '../layout/lay-out-page.js';
import type { FontBook } from './font-book.js';

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;
type Matrix = readonly [number, number, number, number, number, number];

function toMatrix(values: readonly unknown[]): Matrix {
  const at = (index: number) => Number(values[index] ?? 0);
  return [at(0), at(1), at(2), at(3), at(4), at(5)];
}

function multiply(a: Matrix, b: Matrix): Matrix {
  return [
    a[0] * b[0] + a[2] * b[1],
    a[1] * b[0] + a[3] * b[1],
    a[0] * b[2] + a[2] * b[3],
    a[1] * b[2] + a[3] * b[3],
    a[0] * b[4] + a[2] * b[5] + a[4],
    a[1] * b[4] + a[3] * b[5] + a[5],
  ];
}

/** Text turned by a quarter is laid out as if the page were turned; anything slanted is its own layer. */
interface Placed {
  quarter: number;
  run: TextRun;
}

function place(content: TextContent, view: Matrix, fonts: FontBook): Placed[] {
  const placed: Placed[] = [];
  let spaced = false;
  for (const item of content.items) {
    if (!('str' in item)) continue;
    if (item.str.trim() === '') {
      spaced ||= item.width > 0;
      continue;
    }
    const matrix = multiply(view, toMatrix(item.transform));
    const size = Math.hypot(matrix[2], matrix[3]);
    const turns = Math.atan2(matrix[1], matrix[0]) / (Math.PI / 2);
    const quarter = Math.abs(turns - Math.round(turns)) < 0.05 ? (Math.round(turns) + 4) % 4 : -1;
    placed.push({
      quarter,
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

/** Reads and lays out one page. Throws what pdf.js throws. */
export async function readPage(page: PDFPageProxy, fonts: FontBook): Promise<PageLines> {
  const content = await page.getTextContent();
  await fonts.learn(page, content);
  const viewport = page.getViewport({ scale: 1 });
  const placed = place(content, toMatrix(viewport.transform), fonts);
  // The fonts stay: they are shared by all pages of the document.
  page.cleanup();
  return layOutPage(placed, {
    number: page.pageNumber,
    width: viewport.width,
    height: viewport.height,
  });
}
