import { pathToFileURL } from 'node:url';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { AppError, messageOf } from '../../../platform/errors.js';
import { heightOf, type OutlineEntry } from '../syntax/bookmarks.js';
import { endsEarly } from '../syntax/check-file.js';
import { passwordNeeded } from '../syntax/security.js';
import { pdfjsFolder } from '../fonts/pdfjs-folder.js';

export type { PDFDocumentProxy };

const damagedAdvice =
  'The PDF is damaged or was cut off while it was copied. Save or download it again and upload the whole file.';

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** Converts an error of pdf.js to an AppError that the uploader can act on. */
export function explainFailure(error: unknown, page?: number): AppError {
  if (error instanceof AppError && (page === undefined || error.page !== undefined)) return error;
  const options = { cause: error, ...(page === undefined ? {} : { page }) };
  if (error instanceof AppError) return new AppError(error.code, error.message, options);
  if (nameOf(error) === 'PasswordException') {
    return passwordNeeded(error);
  }
  if (
    error instanceof RangeError &&
    /array buffer|allocation|maximum size|invalid \w+ length/i.test(error.message)
  ) {
    return new AppError(
      'out_of_memory',
      'The PDF needs more memory than one thread may use.',
      options,
    );
  }
  const where = page === undefined ? '' : ` (page ${page}: ${messageOf(error)})`;
  return new AppError('damaged', damagedAdvice + where, options);
}

/** The least of a web page that pdf.js needs to believe that it installed a font. */
const styleless = {
  createElement: () => ({ sheet: { cssRules: [], insertRule: () => 0 }, remove: () => undefined }),
  documentElement: { getElementsByTagName: () => [{ append: () => undefined }] },
};

type Pdfjs = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

/**
 * Loads pdf.js. Its build for Node 20 replaces the thread's Array.prototype.push for a corner case (arrays of 2^32
 * entries), which costs a tenth of the time of reading a page. This function restores the original push.
 */
async function loadPdfjs(folder: string): Promise<Pdfjs> {
  const push = Object.getOwnPropertyDescriptor(Array.prototype, 'push');
  const pdfjs = (await import(pathToFileURL(`${folder}/pdf.mjs`).href)) as Pdfjs;
  // Load the worker here: pdf.js would load it later, with the same polyfills.
  await import(pathToFileURL(`${folder}/pdf.worker.mjs`).href);
  if (push !== undefined) Object.defineProperty(Array.prototype, 'push', push);
  return pdfjs;
}

/**
 * Opens a PDF with pdf.js in this thread, without network: character maps and standard fonts come from the package.
 * `bytes` is copied, because pdf.js detaches the caller's buffer. Throws damaged, and encrypted when a user password is
 * needed; an owner password alone does not prevent reading.
 */
export async function openDocument(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  if (endsEarly(bytes)) throw new AppError('damaged', damagedAdvice);
  const folder = pdfjsFolder();
  const pdfjs = await loadPdfjs(folder);
  try {
    return await pdfjs.getDocument({
      data: bytes.slice(),
      cMapUrl: `${folder}/cmaps/`,
      cMapPacked: true,
      standardFontDataUrl: `${folder}/standard_fonts/`,
      verbosity: pdfjs.VerbosityLevel.ERRORS,
      isEvalSupported: false,
      useSystemFonts: false,
      // Only font names are needed. Without a page to style, pdf.js would otherwise compile every glyph's outline.
      disableFontFace: false,
      ownerDocument: styleless as unknown as HTMLDocument,
      // Pictures are never drawn, and decoding them would cost more than all the text.
      maxImageSize: 1,
    }).promise;
  } catch (error) {
    throw explainFailure(error);
  }
}

type OutlineItems = NonNullable<Awaited<ReturnType<PDFDocumentProxy['getOutline']>>>;

/** A manual has some hundred bookmarks; a file with far more is damaged or hostile. */
const maxEntries = 20_000;

function kindOf(target: unknown[]): string {
  const kind: unknown = target[1];
  const isNamed = typeof kind === 'object' && kind !== null && 'name' in kind;
  return isNamed && typeof kind.name === 'string' ? kind.name : '';
}

async function pageIndexOf(
  document: PDFDocumentProxy,
  ref: unknown,
  known: Map<string, number>,
): Promise<number | undefined> {
  if (typeof ref === 'number') return ref;
  if (typeof ref !== 'object' || ref === null || !('num' in ref) || !('gen' in ref))
    return undefined;
  const { num, gen } = ref;
  if (typeof num !== 'number' || typeof gen !== 'number') return undefined;
  const key = `${num} ${gen}`;
  const index = known.get(key) ?? (await document.getPageIndex({ num, gen }));
  known.set(key, index);
  return index;
}

/** The bookmarks that lead to a page of this document, in order. Others are omitted: a title gives no position. */
export async function readOutline(document: PDFDocumentProxy): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  const known = new Map<string, number>();
  const destinations: Record<string, unknown> = await document.getDestinations().catch(() => ({}));
  const visit = async (items: OutlineItems, level: number): Promise<void> => {
    for (const item of items) {
      if (entries.length >= maxEntries || level > 32) return;
      const dest: unknown = typeof item.dest === 'string' ? destinations[item.dest] : item.dest;
      if (Array.isArray(dest)) {
        const target: unknown[] = dest;
        const index = await pageIndexOf(document, target[0], known).catch(() => undefined);
        const height = heightOf(kindOf(target), target);
        if (index !== undefined && index >= 0 && index < document.numPages) {
          const page = await document.getPage(index + 1);
          const top = page.view[3] ?? 0;
          entries.push({
            title: item.title,
            level,
            page: index + 1,
            y: height === undefined || page.rotate !== 0 ? undefined : top - height,
          });
        }
      }
      await visit(item.items as OutlineItems, level + 1);
    }
  };
  await visit((await document.getOutline().catch(() => null)) ?? [], 1);
  return entries;
}
