import { createHash } from 'node:crypto';
import type { Visibility } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { shorten } from '../../platform/text/shorten.js';
import type { NewEntry } from '../../knowledge/entry.js';
import { analyseTexts } from '../../search/passages/analyse-texts.js';
import { addEntries, removeDraftsOfBatch } from '../../knowledge/store-entries.js';
import { findApp } from '../../tenancy/sites.repository.js';
import { findDomainOf } from '../../tenancy/find-site.js';
import { readUpload } from '../batches/batches.repository.js';
import { storeHiddenTexts } from '../batches/findings.repository.js';
import { tierOf, tierOfDocument } from './inherit-tier.js';
import { held, type LeasedBatch, LeaseLost, saveProgress } from './lease.repository.js';
import { createEntryMaker, type MadeEntries } from './make-entries.js';
import type { ExtractedPdf, PdfExtractor } from '../../pdf/threads/extract-pdf.js';
import { settleBatch } from './settle-batch.js';
import { fingerprintSections, type Section } from '../versions/compare-versions.js';

/** Sections per transaction without a model: a short lock, and little work between two pauses. */
const sectionsPerStep = 5;
/** Enough for a person to see what a file hides, however much it is. */
const maximumHiddenTexts = 200;
const maximumHiddenChars = 500;

/**
 * Turns a batch's PDF into draft entries, for sections without an entry of the document. Each step stores its entries
 * together with the number of finished chunks, and the remaining work is derived from stored data. So a worker that
 * continues after a crash neither repeats nor loses an entry.
 */
export async function processBatch(
  app: App,
  extractor: PdfExtractor,
  batch: LeasedBatch,
  signal: AbortSignal,
): Promise<void> {
  const extracted = await extract(app, extractor, batch, signal);
  const names = fingerprintSections(extracted.sections);
  const sections = extracted.sections.map((section, index) => ({
    ...section,
    sha256: names[index] ?? '',
  }));
  const settle = () => settleBatch(app, batch, sections);
  const counts = await beginChunks(app, batch, extracted, names);
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
      const made: { index: number; section: Section; entries: MadeEntries['entries'] }[] = [];
      for (const { index, section } of step) {
        const { entries, droppedEntries, isFallback } = await entryMaker.make(section, signal);
        made.push({ index, section, entries });
        counts.droppedEntries += droppedEntries;
        counts.fallbackChunks += isFallback ? 1 : 0;
      }
      const analysed = await analyseTexts(made.flatMap(({ entries }) => entries));
      const processedChunks = sections.length - missing.length + next + step.length;
      await inTransaction(app, async (app) => {
        await held(saveProgress(app, batch, { processedChunks, ...counts }));
        const template = await entryTemplate(app, batch, ofDocument);
        const entries = made.flatMap(({ index: chunkIndex, section, entries }) => {
          const source = { chunkIndex, sourceSha256: section.sha256, sourceTitle: section.title };
          return entries.map((fields): NewEntry => ({ ...template, ...source, ...fields }));
        });
        await addEntries(app, entries, analysed);
      });
      // A pause for the server's other work: storing all steps in sequence would block the event loop.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
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
        // Four updates per second are enough for a person.
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

/** The stored progress of a batch's chunks; from the start when the chunks have changed. */
async function beginChunks(
  app: App,
  batch: LeasedBatch,
  extracted: ExtractedPdf,
  names: readonly string[],
): Promise<{ droppedEntries: number; fallbackChunks: number }> {
  const chunksSha256 = createHash('sha256').update(names.join()).digest('hex');
  const { droppedEntries, fallbackChunks } = batch;
  if (batch.chunksSha256 === chunksSha256) return { droppedEntries, fallbackChunks };
  const none = { droppedEntries: 0, fallbackChunks: 0 };
  await inTransaction(app, async (app) => {
    const progress = {
      ...none,
      totalPages: extracted.pageCount,
      processedPages: extracted.pageCount,
      totalChunks: extracted.sections.length,
      processedChunks: 0,
      pagesWithoutText: extracted.pagesWithoutText,
      hiddenTextTotal: extracted.hiddenText.length,
      chunksSha256,
    };
    await held(saveProgress(app, batch, progress));
    const shown = extracted.hiddenText
      .slice(0, maximumHiddenTexts)
      .map((hidden) => ({ ...hidden, text: shorten(hidden.text, maximumHiddenChars) }));
    await storeHiddenTexts(app, batch.id, shown);
    await removeDraftsOfBatch(app, batch.organizationId, batch.id);
  });
  return none;
}

async function entryTemplate(
  app: App,
  batch: LeasedBatch,
  ofDocument: Visibility | undefined,
): Promise<
  Omit<NewEntry, 'title' | 'content' | 'language' | 'pageFrom' | 'pageTo' | 'chunkIndex'>
> {
  const { organizationId } = batch;
  const claim = batch.domain === null ? undefined : await findDomainOf(app, batch.domain);
  // The domain's present claim decides: it may have moved or been released since the upload.
  const claimed = claim?.organizationId === organizationId ? claim.appId : null;
  const appId = batch.domain === null ? batch.appId : claimed;
  const site = await findApp(app, appId ?? batch.appId);
  const tier = tierOf(batch, site?.defaultKnowledgeVisibility ?? 'public', ofDocument);
  return {
    organizationId,
    appId,
    viewId: null,
    domain: batch.domain,
    urlPattern: null,
    status: 'draft',
    ...tier,
    batchId: batch.id,
    document: batch.document,
    changedBy: batch.createdBy,
  };
}
