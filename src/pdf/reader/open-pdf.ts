import type { PageText } from '../layout/page.js';
import { PageReader, type PagePictures } from './content/page-reader.js';
import { explainFailure } from './explain-failure.js';
import { endsEarly } from './syntax/check-file.js';
import { decodeTextString, type OutlineEntry, readBookmarks } from './syntax/bookmarks.js';
import { NotUnderstood } from './syntax/objects.js';
import { readPageTree, type PageNode, type PageTree } from './syntax/page-tree.js';
import { PdfFile } from './syntax/pdf-file.js';

/** An open PDF. Pages count from 1. Each method throws an AppError when it can't read. */
export interface OpenPdf {
  pageCount: number;
  readPage(number: number): Promise<PageText>;
  /** The pictures of a page, and its size. */
  readPictures(number: number): PagePictures;
  outline(): Promise<OutlineEntry[]>;
  /** The title in the file's metadata; may be empty. */
  title(): Promise<string>;
  close(): Promise<void>;
}

/** More than any setting allows. A file with more pages is refused for their number. */
const maxPages = 200_000;

/**
 * Opens a PDF with the product's own reader, which is fast and sees colours. It and `readPage` throw NotUnderstood
 * where a second reader may succeed. Errors: `encrypted`, `damaged`, `out_of_memory`.
 */
export function openPdf(bytes: Uint8Array): OpenPdf {
  try {
    return new StrictPdf(bytes, false);
  } catch (error) {
    if (endsEarly(bytes) || !isNotUnderstood(error)) throw error;
  }
  return new StrictPdf(bytes, true);
}

/** True when another reader may succeed. After a limit was reached, it would only reach the limit more slowly. */
export function isNotUnderstood(error: unknown): boolean {
  return error instanceof NotUnderstood || error instanceof TypeError;
}

type Read<Result> = (reader: PageReader, page: PageNode) => Result;

class StrictPdf implements OpenPdf {
  readonly #file: PdfFile;
  readonly #tree: PageTree;
  readonly #reader: PageReader;
  /** The same file with rebuilt references, created when a page first needs it. */
  #found: StrictPdf | undefined;

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

  readPage(number: number): Promise<PageText> {
    return Promise.resolve(number).then((each) =>
      this.#read(each, (reader, page) => reader.read(page, each)),
    );
  }

  readPictures(number: number): PagePictures {
    return this.#read(number, (reader, page) => reader.readPictures(page));
  }

  #read<Result>(number: number, read: Read<Result>): Result {
    const page = this.#tree.pages[number - 1];
    if (page === undefined) throw new Error(`page ${number} of ${this.pageCount}`);
    try {
      return read(this.#reader, page);
    } catch (error) {
      if (!isNotUnderstood(error)) throw explainFailure(error, number);
      const mended = this.#readRebuilt(number, read);
      if (mended === undefined) throw error;
      return mended;
    }
  }

  /** Reads the page with rebuilt references, when the file's own are wrong. */
  #readRebuilt<Result>(number: number, read: Read<Result>): Result | undefined {
    if (this.rebuilt) return undefined;
    try {
      const found = (this.#found ??= new StrictPdf(this.bytes, true));
      const page = found.pageCount === this.pageCount ? found.#tree.pages[number - 1] : undefined;
      return page === undefined ? undefined : read(found.#reader, page);
    } catch (error) {
      if (isNotUnderstood(error)) return undefined;
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

  close(): Promise<void> {
    return Promise.resolve();
  }
}
