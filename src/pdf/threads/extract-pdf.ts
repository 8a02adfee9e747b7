import { setMaxListeners } from 'node:events';
import { deserialize } from 'node:v8';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../platform/errors.js';
import { assertPdf } from '../reader/syntax/check-file.js';
import type { Language } from '../../language/language-pack.js';
import type { HiddenText } from '../layout/page.js';
import type { PdfResults } from './protocol.js';
import { ThreadPool, type TaskHooks, type ThreadPoolSettings } from './thread-pool.js';

export interface ExtractOptions {
  maxPages: number;
  /** The longest a single page may take, in milliseconds. */
  pageTimeoutMs: number;
  /** The longest the whole file may take, in milliseconds. */
  fileTimeoutMs: number;
  sectionMaxChars: number;
  sectionMinChars: number;
}

export interface PdfSection {
  /** Stands on its own: "Installation › Network settings". */
  title: string;
  /** Plain text, with Markdown for lists, code and tables. */
  content: string;
  /** Pages from 1, as a viewer counts them. */
  pageFrom: number;
  pageTo: number;
  language: Language;
}

export interface ExtractedPdf {
  pageCount: number;
  /** Pages from 1 that hold pictures or nothing. */
  pagesWithoutText: number[];
  /** What was left out because nobody sees it, page by page; long texts are shortened. */
  hiddenText: HiddenText[];
  sections: PdfSection[];
}

export interface ExtractHooks {
  onPages(done: number, total: number): void;
  signal?: AbortSignal;
}

export interface PdfExtractor {
  extract(bytes: Uint8Array, options: ExtractOptions, hooks: ExtractHooks): Promise<ExtractedPdf>;
  /** Ends the threads; extractions under way fail with shutting_down. */
  close(): Promise<void>;
}

/** Pages a thread reads before it asks for more: small enough that both are done at the same time. */
const rangeSize = 12;
/** Below this many bytes a second thread would be started for less than it costs. */
const smallFile = 100_000;

/** Pages as they are laid out may take this share of what a thread may: a manual of 5,000 pages takes 70 MB. */
const heldShare = 0.25;
/** Putting the sections together may take as long as so many pages. */
const assemblyPages = 3;
/** Characters of hidden text that are kept of a page. */
const longestHidden = 500;

/** The bytes where every thread can read them without a copy of its own on this side. */
function share(bytes: Uint8Array): SharedArrayBuffer {
  const whole = bytes.byteLength === bytes.buffer.byteLength;
  if (bytes.buffer instanceof SharedArrayBuffer && whole) return bytes.buffer;
  const shared = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(shared).set(bytes);
  return shared;
}

/** The pages in ranges that threads take one by one, so that a thread with easy pages reads more of them. */
function splitRanges(pageCount: number): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (let from = 1; from <= pageCount; from += rangeSize) {
    ranges.push({ from, to: Math.min(pageCount, from + rangeSize - 1) });
  }
  return ranges;
}

/** One extraction under way: its deadline, its signal, its name in the threads. */
class Extraction {
  readonly #abort = new AbortController();
  readonly #bytes: SharedArrayBuffer;
  #heldBytes = 0;

  constructor(
    readonly pool: ThreadPool,
    readonly file: number,
    bytes: Uint8Array,
    readonly options: ExtractOptions,
    readonly hooks: ExtractHooks,
  ) {
    this.#bytes = share(bytes);
    // Each page range listens to the one signal; Node would take more than ten for a leak.
    setMaxListeners(0, this.#abort.signal);
  }

  async run(): Promise<ExtractedPdf> {
    const { signal } = this.hooks;
    const cancel = () => this.#abort.abort(signal?.reason);
    const deadline = setTimeout(() => {
      const seconds = Math.round(this.options.fileTimeoutMs / 100) / 10;
      const sentence = `Reading the PDF took longer than ${seconds} s. Split it into smaller files, or raise ingestion.file_timeout_ms.`;
      this.#abort.abort(new AppError('timeout', sentence));
    }, this.options.fileTimeoutMs);
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
    try {
      return await this.#read();
    } catch (error) {
      // One failed range fails the file: the others must not go on in the background.
      this.#abort.abort(error);
      throw error;
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', cancel);
      this.pool.forget(this.file);
    }
  }

  async #read(): Promise<ExtractedPdf> {
    const source = { file: this.file, bytes: this.#bytes };
    const hooks = this.#taskHooks();
    const copies = this.#bytes.byteLength < smallFile ? 1 : this.pool.settings.workers;
    const opening = Array.from({ length: copies }, () =>
      this.pool.run<'open'>({ kind: 'open', ...source }, hooks),
    );
    const { pageCount } = await Promise.race(opening);
    if (pageCount > this.options.maxPages) {
      // The other openings are still under way, and nobody waits for them any more.
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
    const onPage = () => this.hooks.onPages(++done, pageCount);
    // First, so that it does not keep one thread waiting for the other at the end.
    const facts = this.pool.run<'outline'>({ kind: 'outline', ...source }, hooks);
    const reading = splitRanges(pageCount).map((range) =>
      this.pool
        .run<'read'>({ kind: 'read', ...source, ...range }, { ...hooks, onPage })
        .then((part) => this.#held(part)),
    );
    const [parts, { outline }] = await Promise.all([Promise.all(reading), facts, ...opening]);
    const { sectionMaxChars, sectionMinChars } = this.options;
    const pagesWithoutText = parts.flatMap((part) => part.withoutText);
    if (pagesWithoutText.length === pageCount) {
      throw noText(whyEmpty(parts.flatMap((part) => part.hidden)));
    }
    const { batches, letters } = await this.pool.run<'assemble'>(
      {
        kind: 'assemble',
        pages: parts.map((part) => part.pages),
        outline,
        sectionMaxChars,
        sectionMinChars,
      },
      { ...hooks, silenceMs: assemblyPages * this.options.pageTimeoutMs },
    );
    if (letters === 0) throw noText('The PDF holds no running text.');
    return {
      pageCount,
      pagesWithoutText,
      hiddenText: summarize(parts.flatMap((part) => part.hidden)),
      sections: await unpack(batches),
    };
  }

  /** Counts what pages gave: it waits outside of the threads, whose limits do not bound it. */
  #held(part: PdfResults['read']): PdfResults['read'] {
    this.#heldBytes += part.pages.byteLength;
    const allowed = this.pool.settings.workerMemoryMb * heldShare;
    if (this.#heldBytes <= allowed * (1 << 20)) return part;
    throw new AppError(
      'out_of_memory',
      `The PDF holds more text than ${Math.round(allowed)} MB, as it is laid out. Split it, or raise ingestion.thread_memory_mb.`,
    );
  }

  #taskHooks(): TaskHooks {
    return { silenceMs: this.options.pageTimeoutMs, signal: this.#abort.signal };
  }
}

/** Hidden text page by page and reason by reason, shortened: enough for a person to see what it is. */
function summarize(hidden: readonly HiddenText[]): HiddenText[] {
  const merged = new Map<string, HiddenText>();
  for (const { page, reason, text } of hidden) {
    const key = `${page} ${reason}`;
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { page, reason, text: text.slice(0, longestHidden) });
    else if (known.text.length < longestHidden) {
      known.text = `${known.text} ${text}`.slice(0, longestHidden);
    }
  }
  // A lone stroke or number that happens to be white is no text.
  return [...merged.values()]
    .filter(
      ({ reason, text }) =>
        reason === 'unchecked' || (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= 2,
    )
    .sort((a, b) => a.page - b.page);
}

function whyEmpty(hidden: readonly HiddenText[]): string {
  const reasons = new Set(
    hidden.map(({ reason }) => reason).filter((each) => each !== 'unchecked'),
  );
  if (reasons.size === 0) return 'The PDF holds pictures of pages, but no text.';
  return `All text of the PDF is hidden from its readers (${[...reasons].join(', ')}).`;
}

function noText(what: string): AppError {
  return new AppError(
    'no_extractable_text',
    `${what} Run it through text recognition (OCR), for example ocrmypdf, and upload the result.`,
  );
}

/** Batch by batch, so that a long manual does not hold up the server's other work. */
async function unpack(batches: readonly Uint8Array[]): Promise<PdfSection[]> {
  const sections: PdfSection[] = [];
  for (const batch of batches) {
    sections.push(...(deserialize(batch) as PdfSection[]));
    await nextTurn();
  }
  return sections;
}

/**
 * Reads PDFs in threads of its own: they start with the first file and end with close().
 *
 * `extract` refuses with not_a_pdf, encrypted, damaged, no_extractable_text, too_many_pages, timeout, out_of_memory,
 * shutting_down, or with the reason of its signal. `onPages` is called after each page, in any order of pages.
 */
export function createPdfExtractor(settings: ThreadPoolSettings): PdfExtractor {
  const pool = new ThreadPool(settings);
  let files = 0;
  return {
    async extract(bytes, options, hooks) {
      assertPdf(bytes);
      return new Extraction(pool, ++files, bytes, options, hooks).run();
    },
    close: () => pool.close(),
  };
}
