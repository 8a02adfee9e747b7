import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import {
  type FontTraits,
  type HiddenText,
  type PageText,
  type PlacedRun,
  reasonUnseen,
} from '../../layout/page.js';
import { type Matrix, multiply, quarterOf, toMatrix } from '../content/matrix.js';
import { traitsOfName } from '../fonts/font.js';

/** Some producers embed new fonts on every page. Beyond this many pages, their names are not worth the time. */
const maxLessons = 24;
const plain: FontTraits = { bold: false, italic: false, mono: false };

function nameOf(font: unknown): string {
  return typeof font === 'object' &&
    font !== null &&
    'name' in font &&
    typeof font.name === 'string'
    ? font.name
    : '';
}

/**
 * Font traits by pdf.js's font name (`g_d0_f1`). pdf.js reveals a font's real name only with the drawing instructions
 * of a page that uses it, so each page with new fonts is asked once. getTextContent alone knows serif from monospace,
 * but not bold.
 */
export class FontBook {
  readonly #traits = new Map<string, FontTraits>();
  #lessons = 0;

  traitsOf(name: string): FontTraits {
    return this.#traits.get(name) ?? plain;
  }

  async learn(page: PDFPageProxy, content: TextContent): Promise<void> {
    const unknown = Object.keys(content.styles).filter((name) => !this.#traits.has(name));
    if (unknown.length === 0) return;
    if (this.#lessons++ < maxLessons) await page.getOperatorList().catch(() => undefined);
    for (const name of unknown) {
      const known = page.commonObjs.has(name);
      const traits = traitsOfName(known ? nameOf(page.commonObjs.get(name)) : '');
      const mono = traits.mono || content.styles[name]?.fontFamily === 'monospace';
      this.#traits.set(name, { ...traits, mono });
    }
  }
}

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
 * Reads one page with pdf.js. Its text content has no colours, so only tiny and off-page text is detected as hidden.
 * Throws the errors of pdf.js.
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
  // Keeps the fonts, because all pages of the document share them.
  page.cleanup();
  return { width, height, runs, rules: [], hidden };
}
