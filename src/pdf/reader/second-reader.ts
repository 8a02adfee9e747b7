import { pathToFileURL } from 'node:url';
import type { PageText, PlacedRun } from '../layout/page.js';
import { cutOff, explainFailure } from './explain-failure.js';
import { pdfjsFolder } from './fonts/pdfjs-folder.js';
import type { OpenPdf } from './open-pdf.js';
import { sensibleText } from './fonts/sensible-text.js';
import { endsEarly } from './syntax/check-file.js';

/** In points: the size, the leading and the margins of a page made of plain lines, and the width of its letters. */
const size = 10;
const leading = 14;
const margin = 50;
const letterWidth = 5;
const pageWidth = 612;

/** A page of plain lines, one below the other, as the layout takes it. Nothing is known of hidden text on it. */
function pageOf(text: string, number: number): PageText {
  const lines = text.split('\n').map((line) => sensibleText(line).trim());
  const runs = lines.flatMap((line, index): PlacedRun[] => {
    if (line === '') return [];
    const place = {
      x: margin,
      y: margin + (index + 1) * leading,
      width: line.length * letterWidth,
    };
    const traits = { bold: false, italic: false, mono: false };
    const run = { text: line, ...place, size, rightToLeft: false, spaced: true, ...traits };
    return [{ quarter: 0, run }];
  });
  const longest = Math.max(0, ...runs.map(({ run }) => run.width));
  return {
    width: Math.max(pageWidth, longest + 2 * margin),
    height: (lines.length + 1) * leading + 2 * margin,
    runs,
    rules: [],
    shades: [],
    drawings: [],
    hidden: [{ page: number, reason: 'unchecked', text: '' }],
  };
}

type PdfParse = typeof import('pdf-parse');

/**
 * Loads pdf-parse with its pdf.js. The build of pdf.js for Node 20 replaces the thread's Array.prototype.push for a
 * corner case (arrays of 2^32 entries), which slows down all other reading by a tenth. This function restores it.
 */
async function loadPdfParse(folder: string): Promise<PdfParse['PDFParse']> {
  const push = Object.getOwnPropertyDescriptor(Array.prototype, 'push');
  const { PDFParse } = (await import(pathToFileURL(`${folder}/pdf-parse.mjs`).href)) as PdfParse;
  // Load the worker here: pdf.js would load it later, with the same polyfills.
  await import(pathToFileURL(`${folder}/pdf.worker.mjs`).href);
  if (push !== undefined) Object.defineProperty(Array.prototype, 'push', push);
  return PDFParse;
}

/**
 * Opens a file that the product's reader does not understand with pdf-parse, which repairs and guesses: plain text by
 * page, without fonts, colours or bookmarks, and without network. Errors: `damaged`; `encrypted` when a user password
 * is needed.
 */
export async function openWithPdfParse(bytes: Uint8Array): Promise<OpenPdf> {
  if (endsEarly(bytes)) throw cutOff();
  const folder = pdfjsFolder();
  const Parser = await loadPdfParse(folder);
  const parser = new Parser({
    // pdf.js takes the buffer away from its owner.
    data: bytes.slice(),
    cMapUrl: `${folder}/cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${folder}/standard_fonts/`,
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    // Pictures are never drawn, and decoding them would cost more than all the text.
    maxImageSize: 1,
  });
  try {
    const found = await parser.getInfo();
    const title = (found.info as { Title?: unknown } | undefined)?.Title;
    return {
      pageCount: found.total,
      readPage: async (number) => {
        try {
          const { pages } = await parser.getText({ partial: [number], pageJoiner: '' });
          return pageOf(pages[0]?.text ?? '', number);
        } catch (error) {
          throw explainFailure(error, number);
        }
      },
      readPictures: () => ({ width: 0, height: 0, pictures: [] }),
      outline: () => Promise.resolve([]),
      title: () => Promise.resolve(typeof title === 'string' ? title : ''),
      close: () => parser.destroy(),
    };
  } catch (error) {
    throw explainFailure(error);
  }
}
