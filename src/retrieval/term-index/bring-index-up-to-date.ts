import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { vocabularyOf } from '../../platform/text/vocabulary.js';
import { listOrganizations } from '../../tenancy/sites.repository.js';
import { analysePassage } from '../analyse-texts.js';
import { readStoredTexts, replaceFeatures } from '../passages.repository.js';
import { addToVocabulary } from '../vocabulary.repository.js';
import { deleteSegmentsOf, readFormat, writeFormat } from './segments.repository.js';
import { writeSegments } from './write-segments.js';

/** Of what is stored to find passages. Raise it whenever that changes: every installation makes it anew then. */
const format = 1;
/** Passages analysed at once. */
const slice = 500;

/**
 * Makes anew what is stored to find passages where another version of the program stored it, in one transaction. It
 * takes about a millisecond a passage; other processes that start meanwhile wait for it.
 */
export async function bringIndexUpToDate(app: App): Promise<void> {
  while ((await readFormat(app)) !== format) {
    try {
      await buildIndex(app);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'database_busy')) throw error;
      app.log.info('another process makes the search index anew; waiting for it');
    }
  }
}

async function buildIndex(app: App): Promise<void> {
  await inTransaction(app, async (app) => {
    if ((await readFormat(app)) === format) return;
    const organizations = await listOrganizations(app);
    if (organizations.length > 0) {
      app.log.info('making the search index anew: about a millisecond a passage');
    }
    let passages = 0;
    for (const { id } of organizations) passages += await buildIndexOf(app, id);
    await writeFormat(app, format);
    if (passages > 0) app.log.info({ passages }, 'the search index was made anew');
  });
}

async function buildIndexOf(app: App, organizationId: number): Promise<number> {
  await deleteSegmentsOf(app, organizationId);
  let built = 0;
  for (let last = 0, more = true; more;) {
    const texts = await readStoredTexts(app, organizationId, last, slice);
    const analysed = texts.map((text) => ({ id: text.id, ...analysePassage(text) }));
    await replaceFeatures(app, analysed);
    const terms = analysed.flatMap(({ titleTerms, bodyTerms }) => [...titleTerms, ...bodyTerms]);
    await addToVocabulary(app, organizationId, vocabularyOf(terms));
    await writeSegments(app, organizationId);
    built += texts.length;
    last = texts.at(-1)?.id ?? last;
    more = texts.length === slice;
  }
  return built;
}
