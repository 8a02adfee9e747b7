import type { BackgroundWorker } from '../../platform/workers/run-until-stopped.js';
import { createPdfExtractor, type PdfExtractor } from '../../pdf/threads/extract-pdf.js';
import { runDueBatches, startIngestionWorker } from './run-worker.js';
import type { App } from '../../platform/app.js';

/** The ingestion worker with threads of its own, which end with it. */
export function openWorker(app: App): BackgroundWorker {
  const extractor = openExtractor(app);
  const worker = startIngestionWorker(app, extractor);
  return {
    async stop() {
      await worker.stop();
      await extractor.close();
    },
  };
}

/** Works on what is due now, and answers how many attempts that took. */
export async function workOnce(app: App, signal: AbortSignal): Promise<number> {
  const extractor = openExtractor(app);
  try {
    return await runDueBatches(app, extractor, signal);
  } finally {
    await extractor.close();
  }
}

function openExtractor(app: App): PdfExtractor {
  const { threads, thread_memory_mb } = app.config.ingestion;
  return createPdfExtractor({ workers: threads, workerMemoryMb: thread_memory_mb });
}
