import { extractPdf, type ExtractHooks, type ExtractOptions } from '../pdf/threads/extract-pdf.js';
import { ThreadPool, type ThreadPoolSettings } from '../pdf/threads/thread-pool.js';
import type { ExtractedDocument } from './document.js';

export interface DocumentExtractor {
  extract(
    bytes: Uint8Array,
    options: ExtractOptions,
    hooks: ExtractHooks,
  ): Promise<ExtractedDocument>;
  /** Ends the threads. Running extractions fail with shutting_down. */
  close(): Promise<void>;
}

/**
 * Reads documents in threads of its own. They start with the first file and end with close().
 *
 * `extract` refuses with the codes of extractPdf.
 */
export function createDocumentExtractor(settings: ThreadPoolSettings): DocumentExtractor {
  const program = new URL('./document-thread.js', import.meta.url);
  const pool = new ThreadPool({ program, ...settings });
  return {
    async extract(bytes, options, hooks) {
      const { sections, ...extracted } = await extractPdf(pool, bytes, options, hooks);
      return { ...extracted, sections: sections.map((section) => ({ ...section, anchor: null })) };
    },
    close: () => pool.close(),
  };
}
