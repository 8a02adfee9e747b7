import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { inIndexingTransaction } from '../../search/index-entries.js';
import { traced } from '../../platform/tracing.js';
import { analyseTexts } from '../../search/passages/analyse-texts.js';
import { countEntriesWhere } from '../../knowledge/entry-lists.repository.js';
import { addEntries, removeDraftsOfBatch } from '../../knowledge/store-entries.js';
import { readUpload } from '../batches/uploads.repository.js';
import { tierOfDocument } from './inherit-tier.js';
import type { LeasedBatch } from '../batches/batch.js';
import { held, LeaseLost, saveProgress } from './lease.repository.js';
import { createEntryMaker } from './make-entries.js';
import type { ExtractedDocument } from '../../documents/document.js';
import type { DocumentExtractor, DocumentOptions } from '../../documents/extract-document.js';
import {
  draftsOf,
  factsOf,
  readingOf,
  storeFindings,
  type MadeOfSection,
  type Reading,
} from './reading.js';
import { settleBatch } from './settle-batch.js';
import { prepareNewDocument, storeNewDocuments, type NewDocument } from './store-new-documents.js';

/** Sections per transaction without a model: a short lock, and little work between two pauses. */
const sectionsPerStep = 5;
/** How often the pages of a file are counted meanwhile, in milliseconds: often enough for a person. */
const progressMs = 250;

/** Facts about a batch that its caller may know already. */
export interface Means {
  /** The bytes of the upload; else they are read from the database. */
  bytes?: Uint8Array | undefined;
  /** Whether it is the first reading of its document, if that is known. */
  isFirst?: boolean;
  /** Stores a new document, perhaps together with others; returns whether it was one. */
  storeNew?: (document: NewDocument) => Promise<boolean>;
}

async function hasEntries(app: App, { organizationId, document }: LeasedBatch): Promise<boolean> {
  return (await countEntriesWhere(app, { organizationId, document })) > 0;
}

async function storeAlone(app: App, document: NewDocument): Promise<boolean> {
  const [isStored] = await storeNewDocuments(app, [document]);
  return isStored === true;
}

/**
 * Turns a batch's document into draft entries, for sections without an entry of the document. Each step stores its entries
 * together with the number of finished chunks, and the remaining work is derived from stored data. So a worker that
 * continues after a crash neither repeats nor loses an entry.
 */
export async function processBatch(
  app: App,
  extractor: DocumentExtractor,
  batch: LeasedBatch,
  signal: AbortSignal,
  { bytes, isFirst, storeNew = (document) => storeAlone(app, document) }: Means = {},
): Promise<void> {
  const reading = readingOf(await extract(app, extractor, batch, signal, bytes));
  await traced(app, 'ingestion.store', (span) => {
    span.set({ 'assistant.pages': reading.extracted.pageCount });
    span.set({ 'assistant.sections': reading.sections.length });
    return storeReading(app, batch, reading, { signal, isFirst, storeNew });
  });
}

async function storeReading(
  app: App,
  batch: LeasedBatch,
  reading: Reading,
  {
    signal,
    isFirst,
    storeNew,
  }: Required<Pick<Means, 'storeNew'>> & { signal: AbortSignal; isFirst: boolean | undefined },
): Promise<void> {
  if (isFirst ?? !(await hasEntries(app, batch))) {
    const document = await prepareNewDocument(app, batch, reading, signal);
    if (document !== undefined && (await storeNew(document))) return;
  }
  const { sections } = reading;
  const settle = () => settleBatch(app, batch, sections);
  const counts = await beginChunks(app, batch, reading);
  let missing = await settle();
  if (missing.length === 0) return;
  const entryMaker = await createEntryMaker(app);
  const ofDocument = await tierOfDocument(app, batch);
  // Repeats when a section's entry was deleted while the others were made.
  for (; missing.length > 0; missing = await settle()) {
    const size = entryMaker.asksModel ? 1 : sectionsPerStep;
    for (let next = 0; next < missing.length; next += size) {
      signal.throwIfAborted();
      const step = missing.slice(next, next + size).flatMap((index) => {
        const section = sections[index];
        return section === undefined ? [] : [{ index, section }];
      });
      const made: MadeOfSection[] = [];
      for (const { index, section } of step) {
        const { entries, droppedEntries, isFallback } = await entryMaker.make(section, signal);
        made.push({ index, section, entries });
        counts.droppedEntries += droppedEntries;
        counts.fallbackChunks += isFallback ? 1 : 0;
      }
      const analysed = await analyseTexts(made.flatMap(({ entries }) => entries));
      const processedChunks = sections.length - missing.length + next + step.length;
      await inIndexingTransaction(app, async (app) => {
        await held(saveProgress(app, batch, { processedChunks, ...counts }));
        await addEntries(app, await draftsOf(app, batch, ofDocument, made), analysed);
      });
      // A pause for the server's other work: storing all steps in sequence would block the event loop.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** How a file is read. */
export function documentOptions(
  { config: { ingestion: settings } }: Pick<App, 'config'>,
  { kind, fileName, sourceUrl }: Pick<LeasedBatch, 'kind' | 'fileName' | 'sourceUrl'>,
): DocumentOptions {
  return {
    kind,
    fileName,
    address: sourceUrl ?? undefined,
    maxPages: settings.max_pages,
    pageTimeoutMs: settings.page_timeout_ms,
    fileTimeoutMs: settings.file_timeout_ms,
    sectionMaxChars: settings.section_max_chars,
    sectionMinChars: settings.section_min_chars,
    ocr: settings.ocr,
  };
}

async function extract(
  app: App,
  extractor: DocumentExtractor,
  batch: LeasedBatch,
  signal: AbortSignal,
  bytes: Uint8Array | undefined,
): Promise<ExtractedDocument> {
  const lost = new AbortController();
  let lastSaved = app.clock.elapsed();
  return extractor.extract(bytes ?? (await readUpload(app, batch)), documentOptions(app, batch), {
    signal: AbortSignal.any([signal, lost.signal]),
    // A file read at the same time may have been the cause of what went wrong.
    alone: batch.attempts > 1,
    stage: (name, work) => traced(app, `ingestion.${name}`, work),
    onPages(done, total) {
      // The last page is counted with the chunks.
      if (done === total || app.clock.elapsed() - lastSaved < progressMs) return;
      lastSaved = app.clock.elapsed();
      saveProgress(app, batch, { processedPages: done, totalPages: total }).then(
        (isHeld) => isHeld || lost.abort(new LeaseLost()),
        (error: unknown) => lost.abort(error),
      );
    },
  });
}

/** The stored progress of a batch's chunks; from the start when the chunks have changed. */
async function beginChunks(
  app: App,
  batch: LeasedBatch,
  reading: Reading,
): Promise<{ droppedEntries: number; fallbackChunks: number }> {
  const { droppedEntries, fallbackChunks } = batch;
  if (batch.chunksSha256 === reading.chunksSha256) return { droppedEntries, fallbackChunks };
  const none = { droppedEntries: 0, fallbackChunks: 0 };
  await inTransaction(app, async (app) => {
    await held(saveProgress(app, batch, { ...none, ...factsOf(reading), processedChunks: 0 }));
    await storeFindings(app, batch, reading);
    await removeDraftsOfBatch(app, batch.organizationId, batch.id);
  });
  return none;
}
