import { setMaxListeners } from 'node:events';
import { AppError } from '../../platform/errors.js';
import { assertPdf } from '../../pdf/reader/syntax/check-file.js';
import { explainFailure } from '../../pdf/reader/explain-failure.js';
import type { Language } from '../../language/language-pack.js';
import type { HiddenText } from '../../pdf/layout/page.js';
import { summarizeHidden, whyEmpty } from './hidden-texts.js';
import type { OcrMode } from '../../pdf/ocr/ocr-folder.js';
import type { PdfResults, PdfSource, ReaderName } from './protocol.js';
import { NotUnderstood } from '../../pdf/reader/syntax/objects.js';
import { unpackSections } from './packed-sections.js';
import { recognizePages, type RecognizedPage, type RecognizedPages } from './recognize-pages.js';
import type { TaskHooks, ThreadPoolSettings } from './pool-thread.js';
import { ThreadPool } from './thread-pool.js';

export interface ExtractOptions {
  maxPages: number;
  /** The time limit of a single page, in milliseconds. */
  pageTimeoutMs: number;
  /** The time limit of the whole file, in milliseconds. */
  fileTimeoutMs: number;
  sectionMaxChars: number;
  sectionMinChars: number;
  /** Which pages are read from their pictures; none by default. */
  ocr?: OcrMode;
}

export interface PdfSection {
  /** Complete on its own: "Installation › Network settings". */
  title: string;
  /** Plain text, with Markdown for lists, code and tables. */
  content: string;
  /** Pages count from 1, as in a viewer. */
  pageFrom: number;
  pageTo: number;
  language: Language;
}

export interface ExtractedPdf {
  pageCount: number;
  /** Pages, from 1, with only pictures or nothing. */
  pagesWithoutText: number[];
  /** Pages whose text was recognised from their pictures. */
  recognizedPages: RecognizedPage[];
  /** Invisible text that was removed, page by page; long texts are shortened. */
  hiddenText: HiddenText[];
  sections: PdfSection[];
  readBy: ReaderName;
}

type Stage = <T>(name: 'read' | 'layout', work: () => Promise<T>) => Promise<T>;

export interface ExtractHooks {
  onPages(done: number, total: number): void;
  /** Runs a stage of the work: `read` reads every page, `layout` makes sections of them. */
  stage?: Stage;
  signal?: AbortSignal;
  /** Reads its pages while no other file is read, for a file that may have failed because of others. */
  alone?: boolean;
}

export interface PdfExtractor {
  extract(bytes: Uint8Array, options: ExtractOptions, hooks: ExtractHooks): Promise<ExtractedPdf>;
  /** Ends the threads. Running extractions fail with shutting_down. */
  close(): Promise<void>;
}

/** The number of pages per task: small enough that all threads finish at about the same time. */
const rangeSize = 12;
/** The share of pages that may be left out, and named, before all of the file is read as plain text. */
const mostLeftOut = 0.1;
/** In bytes: below it, starting a second thread costs more than it saves. */
const worthTwoThreads = 200_000;

/** The share of a thread's memory that laid-out pages may take. A manual of 5,000 pages takes 70 MB. */
const heldShare = 0.25;
/** Assembling the sections may take as long as this many pages. */
const assemblyPages = 3;
/** Recognising a page may take as long as reading this many. */
const recognitionPages = 6;

/** Puts the bytes into shared memory, so that every thread can read them without a copy. */
export function share(bytes: Uint8Array): SharedArrayBuffer {
  const whole = bytes.byteLength === bytes.buffer.byteLength;
  if (bytes.buffer instanceof SharedArrayBuffer && whole) return bytes.buffer;
  const shared = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(shared).set(bytes);
  return shared;
}

/** Splits the pages into ranges. Each thread takes one at a time, so that a thread with easy pages reads more. */
function splitRanges(pageCount: number): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (let from = 1; from <= pageCount; from += rangeSize) {
    ranges.push({ from, to: Math.min(pageCount, from + rangeSize - 1) });
  }
  return ranges;
}

interface ReadPages {
  readBy: ReaderName;
  pageCount: number;
  parts: PdfResults['read'][];
  outline: PdfResults['outline']['outline'];
  ocr: RecognizedPages;
}

/** One running extraction: its deadline, its signal and its name in the threads. */
class Extraction {
  readonly #abort = new AbortController();
  readonly #bytes: SharedArrayBuffer;
  #heldBytes = 0;
  #deadline: NodeJS.Timeout | undefined;

  constructor(
    readonly pool: ThreadPool,
    readonly file: number,
    bytes: Uint8Array,
    readonly options: ExtractOptions,
    readonly hooks: ExtractHooks,
  ) {
    this.#bytes = share(bytes);
    // Each page range listens to the one signal. Node would report more than ten listeners as a leak.
    setMaxListeners(0, this.#abort.signal);
  }

  async run(): Promise<ExtractedPdf> {
    const { signal } = this.hooks;
    const cancel = () => this.#abort.abort(signal?.reason);
    this.#allow(this.options.fileTimeoutMs);
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
    try {
      const stage: Stage = this.hooks.stage ?? ((_name, work) => work());
      const pages = await stage('read', () => this.#readPages());
      return await stage('layout', () => this.#layOut(pages));
    } catch (error) {
      this.#abort.abort(error);
      throw error;
    } finally {
      clearTimeout(this.#deadline);
      signal?.removeEventListener('abort', cancel);
      this.pool.forget(this.file);
    }
  }

  /** The file fails unless it is done within this time from now. */
  #allow(milliseconds: number): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => {
      const seconds = Math.round(milliseconds / 100) / 10;
      const sentence = `Reading the PDF took longer than ${seconds} s. Split it into smaller files, or raise ingestion.file_timeout_ms.`;
      this.#abort.abort(new AppError('timeout', sentence));
    }, milliseconds);
  }

  /** Reads all pages with one reader: with the second one if the first does not understand the file, or too many pages. */
  async #readPages(): Promise<ReadPages> {
    try {
      const read = await this.#readPagesBy('own');
      const left = read.parts.reduce((sum, part) => sum + part.notUnderstood.length, 0);
      if (left <= mostLeftOut * read.pageCount) return read;
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error;
    }
    this.#heldBytes = 0;
    try {
      return await this.#readPagesBy('pdf-parse');
    } catch (error) {
      throw error instanceof NotUnderstood ? explainFailure(error) : error;
    }
  }

  async #readPagesBy(readBy: ReaderName): Promise<ReadPages> {
    const attempt = new AbortController();
    setMaxListeners(0, attempt.signal);
    const end = () => attempt.abort(this.#abort.signal.reason);
    this.#abort.signal.addEventListener('abort', end, { once: true });
    try {
      return await this.#readAll(readBy, attempt.signal);
    } catch (error) {
      // One failed range fails the attempt, so the others must stop.
      attempt.abort(error);
      throw error;
    } finally {
      this.#abort.signal.removeEventListener('abort', end);
    }
  }

  async #readAll(readBy: ReaderName, signal: AbortSignal): Promise<ReadPages> {
    const source = { file: this.file, bytes: this.#bytes, reader: readBy };
    const { alone = false } = this.hooks;
    const hooks = { silenceMs: this.options.pageTimeoutMs, signal, alone };
    const copies = this.#bytes.byteLength < worthTwoThreads ? 1 : this.pool.settings.workers;
    const opening = Array.from({ length: copies }, () =>
      this.pool.run<'open'>({ kind: 'open', ...source }, hooks),
    );
    const { pageCount } = await Promise.race(opening);
    if (pageCount > this.options.maxPages) {
      // The other openings are still running, but nobody waits for them.
      void Promise.allSettled(opening);
      throw new AppError(
        'too_many_pages',
        `The PDF has ${pageCount} pages, and ${this.options.maxPages} are allowed. Split it, or raise ingestion.max_pages.`,
      );
    }
    if (pageCount === 0) {
      throw new AppError(
        'no_extractable_text',
        'The PDF has no pages. Export or print the document again and upload the result.',
      );
    }
    let done = 0;
    const onDone = () => this.hooks.onPages(++done, pageCount);
    const { ocr: mode = 'off' } = this.options;
    // Start this first, so that no thread waits for it at the end.
    const facts = this.pool.run<'outline'>({ kind: 'outline', ...source }, hooks);
    // Else a thread would be started for the one range.
    if (pageCount <= rangeSize) await facts;
    const reading = splitRanges(pageCount).map((range) =>
      this.pool
        .run<'read'>({ kind: 'read', ...source, ...range, ocr: mode }, { ...hooks, onPage: onDone })
        .then((part) => this.#held(part)),
    );
    const [parts, { outline }] = await Promise.all([Promise.all(reading), facts, ...opening]);
    const ocr = await this.#recognize(source, parts, hooks, onDone);
    return { readBy, pageCount, parts, outline, ocr };
  }

  #recognize(
    source: PdfSource,
    parts: readonly PdfResults['read'][],
    hooks: TaskHooks,
    onPage: () => void,
  ): Promise<RecognizedPages> {
    const pictured = parts.flatMap((part) => part.pictured);
    const { fileTimeoutMs, pageTimeoutMs } = this.options;
    // A page takes seconds, and a long scan must not fail for its length.
    if (pictured.length > 0) this.#allow(fileTimeoutMs + pictured.length * pageTimeoutMs);
    const patient = { ...hooks, silenceMs: recognitionPages * pageTimeoutMs };
    return recognizePages(pictured, {
      recognize: (page) =>
        this.pool.run<'recognize'>({ kind: 'recognize', ...source, ...page }, patient),
      onPage,
      signal: hooks.signal,
    });
  }

  async #layOut({ readBy, pageCount, parts, outline, ocr }: ReadPages): Promise<ExtractedPdf> {
    const { sectionMaxChars, sectionMinChars } = this.options;
    const recognized = new Set(ocr.recognized.map(({ page }) => page));
    const pagesWithoutText = parts
      .flatMap((part) => part.withoutText)
      .filter((page) => !recognized.has(page));
    const hidden = [...parts.flatMap((part) => part.hidden), ...ocr.hidden];
    const refuse = (what: string) => noText(what, this.options.ocr ?? 'off');
    if (pagesWithoutText.length === pageCount) throw refuse(whyEmpty(hidden));
    const { batches, letters } = await this.pool.run<'assemble'>(
      {
        kind: 'assemble',
        pages: [...parts.map((part) => part.pages), ...ocr.pages],
        outline,
        sectionMaxChars,
        sectionMinChars,
      },
      {
        silenceMs: assemblyPages * this.options.pageTimeoutMs,
        signal: this.#abort.signal,
        alone: this.hooks.alone === true,
      },
    );
    if (letters === 0) throw refuse('The PDF contains no running text.');
    return {
      pageCount,
      pagesWithoutText,
      recognizedPages: ocr.recognized.sort((a, b) => a.page - b.page),
      hiddenText: summarizeHidden(hidden),
      sections: await unpackSections<PdfSection>(batches),
      readBy,
    };
  }

  /** Counts the memory of read pages, which wait outside the threads and their limits. */
  #held(part: PdfResults['read']): PdfResults['read'] {
    this.#heldBytes += part.pages.byteLength;
    const allowed = this.pool.settings.workerMemoryMb * heldShare;
    if (this.#heldBytes <= allowed * (1 << 20)) return part;
    throw new AppError(
      'out_of_memory',
      `The PDF contains more text than ${Math.round(allowed)} MB, as it is laid out. Split it, or raise ingestion.thread_memory_mb.`,
    );
  }
}

function noText(what: string, ocr: OcrMode): AppError {
  const advice =
    ocr === 'off'
      ? 'Set ingestion.ocr to auto, so that text recognition (OCR) reads its pictures, and upload it again.'
      : 'Text recognition found no words in its pictures. Scan it again, at 300 dpi or more.';
  return new AppError('no_extractable_text', `${what} ${advice}`);
}

/**
 * Reads a PDF in the threads of a pool. Refuses with not_a_pdf, encrypted, damaged, no_extractable_text,
 * too_many_pages, timeout, out_of_memory, shutting_down, or with the reason of its signal. `onPages` is called after
 * each page, in any order.
 */
export async function extractPdf(
  pool: ThreadPool,
  bytes: Uint8Array,
  options: ExtractOptions,
  hooks: ExtractHooks,
): Promise<ExtractedPdf> {
  assertPdf(bytes);
  return new Extraction(pool, pool.newFile(), bytes, options, hooks).run();
}

/** Reads PDFs in threads of its own. They start with the first file and end with close(). */
export function createPdfExtractor(settings: ThreadPoolSettings & { program?: URL }): PdfExtractor {
  const program = new URL('../document-thread.js', import.meta.url);
  const pool = new ThreadPool({ program, ...settings });
  return {
    extract: (bytes, options, hooks) => extractPdf(pool, bytes, options, hooks),
    close: () => pool.close(),
  };
}
