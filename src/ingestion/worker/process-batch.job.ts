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

/** Sections per transaction where no model is asked: a short lock, and little work between two breaths. */
const sectionsPerStep = 5;
/** Enough for a person to see what is hidden in a file, however much of it there is. */
const maximumHiddenTexts = 200;
const maximumHiddenChars = 500;

/**
 * Turns a batch's PDF into draft entries, of those sections that no entry of the document stands for yet. Each step
 * stores its entries together with the count of chunks done, and what is left to do is read from what is stored: so
 * the worker that goes on after a crash makes no entry twice and loses none.
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
  // Again where an entry that stood for a section was deleted while the others were made.
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
      // A breath for the server's other work: storing one step after another would keep the loop busy.
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

/** What is counted of a batch's chunks so far; from the start where these are not the chunks that were counted. */
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

/** What all entries of the batch have in common. */
async function entryTemplate(
  app: App,
  batch: LeasedBatch,
  ofDocument: Visibility | undefined,
): Promise<
  Omit<NewEntry, 'title' | 'content' | 'language' | 'pageFrom' | 'pageTo' | 'chunkIndex'>
> {
  const { organizationId } = batch;
  const claim = batch.domain === null ? undefined : await findDomainOf(app, batch.domain);
  // The domain decides, as it is claimed now: it may have been moved or given up since the upload.
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
