import type { App, WithDb } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { vocabularyOf } from '../../language/vocabulary.js';
import { listOrganizations } from '../../tenancy/sites.repository.js';
import { analysePassage } from '../passages/analyse-texts.js';
import { readStoredTexts, replaceFeatures } from '../passages/passages.repository.js';
import { addToVocabulary, deleteVocabularyOf } from '../passages/vocabulary.repository.js';
import { indexFormat, isIndexOutdated, writeFormat } from './index-format.js';
import { deleteSegmentsOf, increaseRevision } from './segments.repository.js';
import { writeSegments } from './write-segments.js';

type Store = Pick<App, 'db' | 'log' | 'clock'>;

/** Passages that are analysed at once. */
const slice = 500;

/**
 * Rebuilds search data of an older version, in one transaction. It takes about a millisecond per passage, and other
 * starting processes wait. `signal` undoes it between two slices. Errors: `database_newer`.
 */
export async function bringIndexUpToDate(app: Store, signal?: AbortSignal): Promise<void> {
  while (await isIndexOutdated(app)) {
    try {
      await buildIndex(app, signal);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'database_busy')) throw error;
      app.log.info('another process rebuilds the search index; waiting for it');
    }
  }
}

async function buildIndex(app: Store, signal: AbortSignal | undefined): Promise<void> {
  await inTransaction(app, async (app) => {
    if (!(await isIndexOutdated(app))) return;
    const organizations = await listOrganizations(app);
    if (organizations.length > 0)
      app.log.info('rebuilding the search index: about a millisecond per passage');
    for (const { id } of organizations) {
      await buildIndexOf(app, id, signal);
      signal?.throwIfAborted();
    }
    await writeFormat(app, indexFormat);
    if (organizations.length > 0) app.log.info('the search index was rebuilt');
  });
}

/** Makes all search data of an organization anew, inside the caller's transaction. Returns the number of its passages. */
export async function buildIndexOf(
  app: WithDb,
  organizationId: number,
  signal?: AbortSignal,
): Promise<number> {
  await deleteVocabularyOf(app, organizationId);
  let built = 0;
  for (let last = 0, more = true; more;) {
    signal?.throwIfAborted();
    const texts = await readStoredTexts(app, organizationId, last, slice);
    const analysed = texts.map((text) => ({ id: text.id, ...analysePassage(text) }));
    await replaceFeatures(app, analysed);
    const terms = analysed.flatMap(({ titleTerms, bodyTerms }) => [...titleTerms, ...bodyTerms]);
    await addToVocabulary(app, organizationId, vocabularyOf(terms));
    built += texts.length;
    last = texts.at(-1)?.id ?? last;
    more = texts.length === slice;
  }
  // Reads the stored data, so it must run after the rebuild of that data.
  await deleteSegmentsOf(app, organizationId);
  await writeSegments(app, organizationId);
  await increaseRevision(app, organizationId);
  return built;
}
