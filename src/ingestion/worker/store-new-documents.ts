import type { App } from '../../platform/app.js';
import { inIndexingTransaction } from '../../search/index-entries.js';
import { findDocumentsWithEntries } from '../../knowledge/entry-lists.repository.js';
import { addEntries } from '../../knowledge/store-entries.js';
import {
  analyseTexts,
  togetherOf,
  type AnalysedTexts,
} from '../../search/passages/analyse-texts.js';
import type { LeasedBatch } from '../batches/batch.js';
import { endFirstBatches } from './lease.repository.js';
import { createEntryMaker } from './make-entries.js';
import { draftsOf, factsOf, storeFindings, type MadeOfSection, type Reading } from './reading.js';

/** The most sections in one transaction: other writers wait meanwhile. */
export const mostSections = 40;
/** Longer documents are stored step by step. */
const longestDocument = 20;

/** A document whose drafts are made and only have to be stored. */
export interface NewDocument {
  batch: LeasedBatch;
  reading: Reading;
  made: MadeOfSection[];
  analysed: AnalysedTexts;
}

/** The drafts of a short document that no model is needed for; undefined for any other, and for a later attempt. */
export async function prepareNewDocument(
  app: App,
  batch: LeasedBatch,
  reading: Reading,
  signal: AbortSignal,
): Promise<NewDocument | undefined> {
  const { sections } = reading;
  const mayNeedModel = app.config.ingestion.entries === 'model';
  if (mayNeedModel || batch.chunksSha256 !== null || sections.length > longestDocument) return;
  const entryMaker = await createEntryMaker(app);
  if (entryMaker.asksModel) return;
  const made: MadeOfSection[] = [];
  for (const [index, section] of sections.entries()) {
    const { entries } = await entryMaker.make(section, signal);
    made.push({ index, section, entries });
  }
  const analysed = await analyseTexts(made.flatMap(({ entries }) => entries));
  signal.throwIfAborted();
  return { batch, reading, made, analysed };
}

/**
 * Stores the drafts of documents that nothing is known of, and completes their batches, in one transaction. Most files
 * of a folder are like that. Returns which were stored, in order. Nothing is stored of one that has earlier versions to
 * be compared with, nor of one whose lease is lost.
 */
export async function storeNewDocuments(
  app: App,
  documents: readonly NewDocument[],
): Promise<boolean[]> {
  return inIndexingTransaction(app, async (app) => {
    const known = await findDocumentsWithEntries(
      app,
      documents.map(({ batch }) => batch),
    );
    const fresh = documents.filter(({ batch: { organizationId, document } }) => {
      return !known.has(`${organizationId} ${document}`);
    });
    const ended = await endFirstBatches(
      app,
      fresh.map(({ batch, reading, made }) => ({
        batch,
        progress: {
          ...factsOf(reading),
          processedChunks: reading.sections.length,
          diff: { unchanged: 0, changed: 0, new: entriesIn(made), gone: 0 },
        },
      })),
    );
    const stored = fresh.filter(({ batch }) => ended.has(batch.id));
    const drafts = [];
    for (const { batch, reading, made } of stored) {
      await storeFindings(app, batch, reading);
      drafts.push(...(await draftsOf(app, batch, undefined, made)));
    }
    await addEntries(app, drafts, togetherOf(stored.map(({ analysed }) => analysed)));
    return documents.map((one) => stored.includes(one));
  });
}

function entriesIn(made: readonly MadeOfSection[]): number {
  return made.reduce((sum, { entries }) => sum + entries.length, 0);
}
