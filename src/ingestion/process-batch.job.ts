import { createHash } from 'node:crypto';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import type { NewEntry } from '../knowledge/entry.js';
import { addEntries, removeDraftsOfBatch } from '../knowledge/store-entries.js';
import { findApp } from '../tenancy/sites.repository.js';
import { findDomainOf } from '../tenancy/find-site.js';
import { readUpload } from './batches.repository.js';
import { endBatch, saveProgress, type LeasedBatch } from './lease.repository.js';
import { createEntryMaker, type MadeEntries } from './make-entries.js';
import type { ExtractedPdf, PdfExtractor, PdfSection } from './pdf/extract-pdf.js';

/** Thrown when the batch was deleted or taken over: whoever holds it now goes on, this worker writes no more. */
export class LeaseLost extends Error {}

/** Sections per transaction where no model is asked: a short lock, and little work between two breaths. */
const sectionsPerStep = 5;

/**
 * Turns a batch's PDF into draft entries. Each step stores its entries together with the count of chunks
 * done, so that whoever goes on after a crash starts where the last step ended: no entry twice, none lost.
 */
export async function processBatch(
  app: App,
  extractor: PdfExtractor,
  batch: LeasedBatch,
  signal: AbortSignal,
): Promise<void> {
  const extracted = await extract(app, extractor, batch, signal);
  const { sections } = extracted;
  const start = await beginChunks(app, batch, extracted);
  const entryMaker = await createEntryMaker(app);
  let dropped = start.dropped;
  for (let next = start.chunk; next < sections.length;) {
    signal.throwIfAborted();
    const step = sections.slice(next, next + (entryMaker.asksModel ? 1 : sectionsPerStep));
    const made: MadeEntries[] = [];
    for (const section of step) made.push(await entryMaker.make(section, signal));
    dropped += made.reduce((sum, { droppedEntries }) => sum + droppedEntries, 0);
    const first = next;
    const processedChunks = first + step.length;
    await inTransaction(app, async (app) => {
      await held(saveProgress(app, batch, { processedChunks, droppedEntries: dropped }));
      const template = await entryTemplate(app, batch);
      const entries = made.flatMap((one, index) =>
        one.entries.map((fields): NewEntry => ({
          ...template,
          ...fields,
          chunkIndex: first + index,
        })),
      );
      await addEntries(app, entries);
    });
    next = processedChunks;
    // A breath for the server's other work: storing one step after another would keep the loop busy.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await held(endBatch(app, batch, null));
}

async function extract(
  app: App,
  extractor: PdfExtractor,
  batch: LeasedBatch,
  signal: AbortSignal,
): Promise<ExtractedPdf> {
  const settings = app.config.ingestion;
  const lost = new AbortController();
  let lastSaved = 0;
  const extracted = await extractor.extract(
    await readUpload(app, batch),
    {
      maxPages: settings.max_pages,
      pageTimeoutMs: settings.page_timeout_ms,
      fileTimeoutMs: settings.file_timeout_ms,
      sectionMaxChars: settings.section_max_chars,
      sectionMinChars: settings.section_min_chars,
    },
    {
      signal: AbortSignal.any([signal, lost.signal]),
      onPages(done, total) {
        // Four times a second is enough for a person to watch.
        if (done < total && Date.now() - lastSaved < 250) return;
        lastSaved = Date.now();
        saveProgress(app, batch, { processedPages: done, totalPages: total }).then(
          (isHeld) => isHeld || lost.abort(new LeaseLost()),
          (error: unknown) => lost.abort(error),
        );
      },
    },
  );
  if (extracted.sections.length > 0) return extracted;
  throw new AppError(
    'no_extractable_text',
    'The PDF holds no text, only images or nothing. Run it through text recognition (OCR) and upload the result.',
  );
}

/** Where to go on: at the chunk after the last stored one, if these are the chunks that were counted. */
async function beginChunks(
  app: App,
  batch: LeasedBatch,
  extracted: ExtractedPdf,
): Promise<{ chunk: number; dropped: number }> {
  const chunksSha256 = fingerprint(extracted.sections);
  if (batch.chunksSha256 === chunksSha256) {
    return { chunk: batch.processedChunks, dropped: batch.droppedEntries };
  }
  await inTransaction(app, async (app) => {
    const progress = {
      totalPages: extracted.pageCount,
      processedPages: extracted.pageCount,
      totalChunks: extracted.sections.length,
      processedChunks: 0,
      droppedEntries: 0,
      pagesWithoutText: extracted.pagesWithoutText,
      chunksSha256,
    };
    await held(saveProgress(app, batch, progress));
    await removeDraftsOfBatch(app, batch.organizationId, batch.id);
  });
  return { chunk: 0, dropped: 0 };
}

/** What all entries of the batch have in common. */
async function entryTemplate(
  app: App,
  batch: LeasedBatch,
): Promise<
  Omit<NewEntry, 'title' | 'content' | 'language' | 'pageFrom' | 'pageTo' | 'chunkIndex'>
> {
  const { organizationId } = batch;
  const claim = batch.domain === null ? undefined : await findDomainOf(app, batch.domain);
  // The domain decides, as it is claimed now: it may have been moved or given up since the upload.
  const claimed = claim?.organizationId === organizationId ? claim.appId : null;
  const appId = batch.domain === null ? batch.appId : claimed;
  const site = await findApp(app, appId ?? batch.appId);
  return {
    organizationId,
    appId,
    viewId: null,
    domain: batch.domain,
    urlPattern: null,
    status: 'draft',
    visibility: batch.visibility ?? site?.defaultKnowledgeVisibility ?? 'public',
    visibilityDefaulted: batch.visibility === null,
    batchId: batch.id,
    changedBy: batch.createdBy,
  };
}

async function held(written: Promise<boolean>): Promise<void> {
  if (!(await written)) throw new LeaseLost();
}

function fingerprint(sections: PdfSection[]): string {
  const hash = createHash('sha256');
  for (const section of sections) hash.update(JSON.stringify([section.title, section.content]));
  return hash.digest('hex');
}
