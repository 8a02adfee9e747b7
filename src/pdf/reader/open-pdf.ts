import { Guessed, PageReader, type HiddenArea } from './content/page-reader.js';
import type { PageText } from '../layout/page.js';
import { FontBook, readPageText } from './pdfjs/pdfjs-page-text.js';
import { endsEarly } from './syntax/check-file.js';
import {
  explainFailure,
  openDocument,
  readOutline,
  type PDFDocumentProxy,
} from './pdfjs/open-document.js';
import { decodeTextString, type OutlineEntry, readBookmarks } from './syntax/bookmarks.js';
import { NotUnderstood } from './syntax/objects.js';
import { readPageTree, type PageTree } from './syntax/page-tree.js';
import { PdfFile } from './syntax/pdf-file.js';

/** An open PDF. Pages count from 1. Each method throws an AppError when it can't read. */
export interface OpenPdf {
  pageCount: number;
  readPage(number: number): Promise<PageText>;
  outline(): Promise<OutlineEntry[]>;
  /** The title in the file's metadata; may be empty. */
  title(): Promise<string>;
  close(): Promise<void>;
}

/** More than any setting allows. A file with more pages is refused for their number. */
const maxPages = 200_000;

/**
 * Opens a PDF with the product's own reader, which is fast and sees colours. If that reader does not understand the
 * file or a page, pdf.js reads it: it repairs and guesses. Throws encrypted, damaged, out_of_memory.
 */
export async function openPdf(bytes: Uint8Array): Promise<OpenPdf> {
  for (const rebuild of endsEarly(bytes) ? [false] : [false, true]) {
    try {
      return new StrictPdf(bytes, rebuild);
    } catch (error) {
      if (!mayRetry(error)) throw error;
    }
  }
  return openPatiently(bytes);
}

/** True when pdf.js may succeed. After a limit was reached, it would only reach the limit more slowly. */
function mayRetry(error: unknown): boolean {
  return error instanceof NotUnderstood || error instanceof TypeError;
}

/** The text of a page without the areas in which the first reader found invisible text. */
function withoutHidden(text: PageText, areas: readonly HiddenArea[], page: number): PageText {
  const hidden = text.hidden.filter(({ reason }) => reason !== 'unchecked');
  const runs = text.runs.filter(({ run }) => {
    const x = run.x + run.width / 2;
    const y = run.y - run.size / 4;
    const area = areas.find(
      ({ box }) =>
        x >= box.left - 1 && x <= box.right + 1 && y >= box.top - 1 && y <= box.bottom + 1,
    );
    if (area !== undefined) hidden.push({ page, reason: area.reason, text: run.text });
    return area === undefined;
  });
  return { ...text, runs, hidden };
}

class StrictPdf implements OpenPdf {
  readonly #file: PdfFile;
  readonly #tree: PageTree;
  readonly #reader: PageReader;
  /** The same file with rebuilt references, created when a page first needs it. */
  #found: StrictPdf | undefined;
  #patient: Promise<OpenPdf> | undefined;

  constructor(
    readonly bytes: Uint8Array,
    readonly rebuilt: boolean,
  ) {
    this.#file = new PdfFile(bytes, rebuilt);
    this.#tree = readPageTree(this.#file, maxPages);
    this.#reader = new PageReader(this.#file);
  }

  get pageCount(): number {
    return this.#tree.pages.length;
  }

  async readPage(number: number): Promise<PageText> {
    const page = this.#tree.pages[number - 1];
    if (page === undefined) throw new Error(`page ${number} of ${this.pageCount}`);
    try {
      return this.#reader.read(page, number);
    } catch (error) {
      if (!mayRetry(error)) throw explainFailure(error, number);
      const mended = error instanceof Guessed ? undefined : this.#readRebuilt(number);
      if (mended !== undefined) return mended;
      this.#patient ??= openPatiently(this.bytes);
      const text = await (await this.#patient).readPage(number);
      return error instanceof Guessed ? withoutHidden(text, error.hidden, number) : text;
    }
  }

  /** Reads the page with rebuilt references, when the file's own are wrong. */
  #readRebuilt(number: number): PageText | undefined {
    if (this.rebuilt || this.#patient !== undefined) return undefined;
    try {
      const found = (this.#found ??= new StrictPdf(this.bytes, true));
      const page = found.pageCount === this.pageCount ? found.#tree.pages[number - 1] : undefined;
      return page === undefined ? undefined : found.#reader.read(page, number);
    } catch (error) {
      if (mayRetry(error)) return undefined;
      throw explainFailure(error, number);
    }
  }

  outline(): Promise<OutlineEntry[]> {
    try {
      return Promise.resolve(readBookmarks(this.#file, this.#tree));
    } catch {
      // The sections are then split at headings, so no text is lost.
      return Promise.resolve([]);
    }
  }

  title(): Promise<string> {
    try {
      const title = this.#file.trailer.dict('Info')?.string('Title') ?? '';
      return Promise.resolve(decodeTextString(title));
    } catch {
      return Promise.resolve('');
    }
  }

  async close(): Promise<void> {
    await (await this.#patient?.catch(() => undefined))?.close();
  }
}

/** Loads pdf.js only when a file needs it; most do not. */
async function openPatiently(bytes: Uint8Array): Promise<OpenPdf> {
  return new PatientPdf(await openDocument(bytes), new FontBook());
}

class PatientPdf implements OpenPdf {
  constructor(
    readonly document: PDFDocumentProxy,
    readonly fonts: FontBook,
  ) {}

  get pageCount(): number {
    return this.document.numPages;
  }

  async readPage(number: number): Promise<PageText> {
    try {
      return await readPageText(await this.document.getPage(number), this.fonts);
    } catch (error) {
      throw explainFailure(error, number);
    }
  }

  outline(): Promise<OutlineEntry[]> {
    return readOutline(this.document).catch(() => []);
  }

  async title(): Promise<string> {
    const { info } = await this.document.getMetadata().catch(() => ({ info: {} }));
    return 'Title' in info && typeof info.Title === 'string' ? info.Title : '';
  }

  async close(): Promise<void> {
    await this.document.loadingTask.destroy();
  }
}
