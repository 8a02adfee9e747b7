import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { traitsOfName } from '../fonts/font-name.js';
import type { FontTraits } from '../../layout/page.js';

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;

/** Some producers embed a new font on every page: beyond this many pages their names are not worth the time. */
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
 * The traits of a document's fonts by pdf.js's name for them (`g_d0_f1`).
 * pdf.js hands out a font's real name only with the drawing instructions of a page that uses it, so a page that
 * brings new fonts is asked for them once; getTextContent alone knows serif from monospace but not bold.
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
