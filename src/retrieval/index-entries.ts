import type { App } from '../platform/app.js';
import { indexTerms } from '../platform/text/analyze.js';
import type { Language } from '../platform/text/languages.js';
import { vocabularyOf } from '../platform/text/vocabulary.js';
import {
  deletePassagesOf,
  insertPassages,
  type Eligibility,
  type NewPassage,
} from './passages.repository.js';
import { addToVocabulary } from './vocabulary.repository.js';
import { splitPassages } from './split-passages.js';

/** A text to be found, with who may find it. */
export interface IndexableEntry {
  entryId: number;
  title: string;
  content: string;
  language: Language;
  pageFrom: number | null;
  pageTo: number | null;
  eligibility: Eligibility;
}

/** Puts entries into the index, in place of what stood there of them. Runs inside the caller's transaction. */
export async function indexEntries(app: App, entries: IndexableEntry[]): Promise<void> {
  await deletePassagesOf(
    app,
    entries.map((entry) => entry.entryId),
  );
  const passages = entries.flatMap(passagesOf);
  await insertPassages(app, passages);
  const organizations = new Set(entries.map(({ eligibility }) => eligibility.organizationId));
  for (const organizationId of organizations) {
    const own = passages.filter((one) => one.eligibility.organizationId === organizationId);
    const terms = own.flatMap(({ titleTerms, bodyTerms }) => [...titleTerms, ...bodyTerms]);
    await addToVocabulary(app, organizationId, vocabularyOf(terms));
  }
}

function passagesOf(entry: IndexableEntry): NewPassage[] {
  const titleTerms = indexTerms(entry.title, entry.language);
  // A title alone is found too: an entry without text still says that its subject exists.
  const bodies = entry.content.trim() === '' ? [''] : splitPassages(entry.content);
  return bodies.map((body, position) => ({
    entryId: entry.entryId,
    position,
    title: entry.title,
    body,
    titleTerms,
    bodyTerms: indexTerms(body, entry.language),
    language: entry.language,
    pageFrom: entry.pageFrom,
    pageTo: entry.pageTo,
    eligibility: entry.eligibility,
  }));
}
