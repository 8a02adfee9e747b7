import type { WithDb } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { vocabularyOf } from '../language/vocabulary.js';
import {
  analysedPassages,
  type AnalysedTexts,
  type IndexableText,
} from './passages/analyse-texts.js';
import {
  deletePassagesOf,
  insertPassages,
  lockPassageOrder,
  type Eligibility,
  type NewPassage,
} from './passages/passages.repository.js';
import { writeSegments } from './term-index/write-segments.js';
import { addToVocabulary } from './passages/vocabulary.repository.js';

/** As inTransaction, for work that indexes entries: such transactions come one after the other. */
export function inIndexingTransaction<A extends WithDb, T>(
  app: A,
  work: (app: A) => Promise<T>,
): Promise<T> {
  return inTransaction(app, async (app) => {
    await lockPassageOrder(app);
    return work(app);
  });
}

/** A text to index, with its rights. */
export interface IndexableEntry extends IndexableText {
  entryId: number;
  pageFrom: number | null;
  pageTo: number | null;
  eligibility: Eligibility;
}

/** Indexes changed entries, replacing their passages, inside the caller's transaction. Analyse long texts before it. */
export async function reindexEntries(
  app: WithDb,
  entries: IndexableEntry[],
  analysed?: AnalysedTexts,
): Promise<void> {
  await deletePassagesOf(
    app,
    entries.map((entry) => entry.entryId),
  );
  await indexEntries(app, entries, analysed);
}

/** The same of new entries, which have no passages. */
export async function indexEntries(
  app: WithDb,
  entries: IndexableEntry[],
  analysed?: AnalysedTexts,
): Promise<void> {
  const passages = entries.flatMap((entry) => passagesOf(entry, analysed));
  await insertPassages(app, passages);
  const organizations = new Set(entries.map(({ eligibility }) => eligibility.organizationId));
  for (const organizationId of organizations) {
    const own = passages.filter((one) => one.eligibility.organizationId === organizationId);
    const terms = own.flatMap(({ titleTerms, bodyTerms }) => [...titleTerms, ...bodyTerms]);
    await addToVocabulary(app, organizationId, vocabularyOf(terms));
    await writeSegments(app, organizationId);
  }
}

function passagesOf(entry: IndexableEntry, analysed: AnalysedTexts | undefined): NewPassage[] {
  const { entryId, title, language, pageFrom, pageTo, eligibility } = entry;
  const passages = analysed?.passagesOf(entry) ?? [...analysedPassages(entry)];
  return passages.map((passage, position) => ({
    entryId,
    position,
    title,
    language,
    pageFrom,
    pageTo,
    eligibility,
    ...passage,
  }));
}
