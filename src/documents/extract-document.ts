import {
  extractPdf,
  share,
  type ExtractHooks,
  type ExtractOptions,
} from './threads/extract-pdf.js';
import { summarizeHidden } from './threads/hidden-texts.js';
import { unpackSections } from './threads/packed-sections.js';
import type { ThreadPoolSettings } from './threads/pool-thread.js';
import { ThreadPool } from './threads/thread-pool.js';
import { AppError } from '../platform/errors.js';
import type { DocumentKind, DocumentSection, ExtractedDocument } from './document.js';

export interface DocumentOptions extends ExtractOptions {
  /** PDF when it is not stated. */
  kind?: DocumentKind;
  fileName?: string;
  /** Where a page comes from, if it has an address. */
  address?: string | undefined;
}

export interface DocumentExtractor {
  extract(
    bytes: Uint8Array,
    options: DocumentOptions,
    hooks: ExtractHooks,
  ): Promise<ExtractedDocument>;
  /** Ends the threads. Running extractions fail with shutting_down. */
  close(): Promise<void>;
}

/**
 * Reads documents in threads of its own. They start with the first file and end with close().
 *
 * `extract` refuses with the codes of extractPdf, except those about pages, whatever the kind.
 */
export function createDocumentExtractor(settings: ThreadPoolSettings): DocumentExtractor {
  const program = new URL('./document-thread.js', import.meta.url);
  const pool = new ThreadPool({ program, ...settings });
  return {
    extract: (bytes, { kind = 'pdf', ...options }, hooks) =>
      kind === 'pdf'
        ? extractPages(pool, bytes, options, hooks)
        : extractWhole(pool, bytes, { kind, ...options }, hooks),
    close: () => pool.close(),
  };
}

async function extractPages(
  pool: ThreadPool,
  bytes: Uint8Array,
  options: ExtractOptions,
  hooks: ExtractHooks,
): Promise<ExtractedDocument> {
  const { sections, ...extracted } = await extractPdf(pool, bytes, options, hooks);
  return { ...extracted, sections: sections.map((section) => ({ ...section, anchor: null })) };
}

/** Reads a file of a kind without pages in one thread, as if it were one page. */
async function extractWhole(
  pool: ThreadPool,
  bytes: Uint8Array,
  options: DocumentOptions & { kind: DocumentKind },
  hooks: ExtractHooks,
): Promise<ExtractedDocument> {
  const { signal, stage, alone = false } = hooks;
  const { kind, address, fileTimeoutMs, sectionMaxChars, sectionMinChars } = options;
  const file = pool.newFile();
  const late = new AbortController();
  const timer = setTimeout(() => {
    const seconds = Math.round(fileTimeoutMs / 100) / 10;
    const sentence = `Reading the file took longer than ${seconds} s. Split it into smaller files, or raise ingestion.file_timeout_ms.`;
    late.abort(new AppError('timeout', sentence));
  }, fileTimeoutMs);
  const ended = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
  const read = () =>
    pool.run<'document'>(
      {
        kind: 'document',
        file,
        bytes: share(bytes),
        documentKind: kind,
        fileName: options.fileName ?? 'Document',
        ...(address === undefined ? {} : { address }),
        sectionMaxChars,
        sectionMinChars,
      },
      { silenceMs: fileTimeoutMs, signal: ended, alone },
    );
  try {
    const { batches, hidden } = await (stage === undefined ? read() : stage('read', read));
    hooks.onPages(1, 1);
    return {
      pageCount: 1,
      pagesWithoutText: [],
      recognizedPages: [],
      hiddenText: summarizeHidden(hidden),
      sections: await unpackSections<DocumentSection>(batches),
      readBy: 'own',
    };
  } finally {
    clearTimeout(timer);
    pool.forget(file);
  }
}
