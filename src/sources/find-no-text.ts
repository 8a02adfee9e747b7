import type { DocumentExtractor } from '../documents/extract-document.js';
import { recognizeKind } from '../documents/recognize-kind.js';
import { mayHaveNoText } from '../ingestion/batches/without-text.js';
import { documentOptions } from '../ingestion/worker/process-batch.job.js';
import { openExtractor } from '../ingestion/worker/run-worker.js';
import type { App } from '../platform/app.js';
import { codeOf } from '../platform/errors.js';
import { nameOfPage } from './name-page.js';
import type { SitePage } from './site/site-page.js';

/** Reads pages in threads of its own, as a run would, and stores nothing. */
export interface PageReader {
  /** True for a page without text of its own. One that can't be read has another fault, which a run reports. */
  hasNoText: (page: SitePage) => Promise<boolean>;
  /** Ends the threads. */
  close: () => Promise<void>;
}

export function openPageReader(app: App, signal: AbortSignal): PageReader {
  let extractor: DocumentExtractor | undefined;
  return {
    async hasNoText({ address, bytes, contentType }) {
      if (bytes === null || contentType === null) return false;
      const fileName = nameOfPage(address, contentType, new Set());
      try {
        const kind = recognizeKind(bytes, fileName);
        if (!mayHaveNoText(kind)) return false;
        extractor ??= openExtractor(app);
        const options = documentOptions(app, { kind, fileName, sourceUrl: address });
        await extractor.extract(bytes, options, { signal, onPages: () => undefined });
        return false;
      } catch (error) {
        signal.throwIfAborted();
        return codeOf(error) === 'no_extractable_text';
      }
    },
    close: async () => extractor?.close(),
  };
}
