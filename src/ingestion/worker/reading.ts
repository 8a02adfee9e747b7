import { createHash } from 'node:crypto';
import type { Visibility } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { shorten } from '../../platform/text/shorten.js';
import type { NewEntry } from '../../knowledge/entry.js';
import type { DocumentSection, ExtractedDocument } from '../../documents/document.js';
import { patternOfSource } from '../../knowledge/match-pattern.js';
import { findApp } from '../../tenancy/sites.repository.js';
import { findDomainOf } from '../../tenancy/find-site.js';
import { storeHiddenTexts } from '../batches/findings.repository.js';
import { storeSections } from '../batches/sections.repository.js';
import { fingerprintSections, type Section } from '../versions/compare-versions.js';
import { tierOf } from './inherit-tier.js';
import type { LeasedBatch } from '../batches/batch.js';
import type { BatchProgress } from './lease.repository.js';
import type { MadeEntries } from './make-entries.js';

/** Enough for a person to see what a file hides, however much it is. */
const maximumHiddenTexts = 200;
const maximumHiddenChars = 500;

/** The content of a document, with the fingerprints that identify its sections. */
export interface Reading {
  extracted: ExtractedDocument;
  sections: (DocumentSection & Section)[];
  /** Of all sections: the chunks that a batch counts. */
  chunksSha256: string;
}

export function readingOf(extracted: ExtractedDocument): Reading {
  const names = fingerprintSections(extracted.sections);
  const sections = extracted.sections.map((section, index) => ({
    ...section,
    sha256: names[index] ?? '',
  }));
  return {
    extracted,
    sections,
    chunksSha256: createHash('sha256').update(names.join()).digest('hex'),
  };
}

/** The facts about its file that a batch shows before any entry exists. */
export function factsOf({ extracted, sections, chunksSha256 }: Reading): BatchProgress {
  return {
    totalPages: extracted.pageCount,
    processedPages: extracted.pageCount,
    totalChunks: sections.length,
    pagesWithoutText: extracted.pagesWithoutText,
    readBy: extracted.readBy,
    recognizedPages: extracted.recognizedPages,
    hiddenTextTotal: extracted.hiddenText.length,
    chunksSha256,
  };
}

/** Stores what a reviewer sees besides the drafts: hidden text and, without pages, the sections of the document. */
export async function storeFindings(
  app: App,
  batch: LeasedBatch,
  { extracted, sections }: Reading,
): Promise<void> {
  if (batch.kind !== 'pdf') await storeSections(app, batch.id, sections);
  if (extracted.hiddenText.length === 0 && batch.chunksSha256 === null) return;
  const shown = extracted.hiddenText
    .slice(0, maximumHiddenTexts)
    .map((hidden) => ({ ...hidden, text: shorten(hidden.text, maximumHiddenChars) }));
  await storeHiddenTexts(app, batch.id, shown);
}

/** The entries that were made of one section. */
export interface MadeOfSection {
  index: number;
  section: Section;
  entries: MadeEntries['entries'];
}

/** The rows for made entries: drafts with the place and the tier of the batch. Runs in the transaction that stores them. */
export async function draftsOf(
  app: App,
  batch: LeasedBatch,
  ofDocument: Visibility | undefined,
  made: readonly MadeOfSection[],
): Promise<NewEntry[]> {
  const { organizationId } = batch;
  const claim = batch.domain === null ? undefined : await findDomainOf(app, batch.domain);
  // The domain's present claim decides: it may have moved or been released since the upload.
  const claimed = claim?.organizationId === organizationId ? claim.appId : null;
  const appId = batch.domain === null ? batch.appId : claimed;
  const site = await findApp(app, appId ?? batch.appId);
  const tier = tierOf(batch, site?.defaultKnowledgeVisibility ?? 'public', ofDocument);
  const urlPattern = patternOfSource(batch.domain, batch.sourceUrl);
  return made.flatMap(({ index, section, entries }) =>
    entries.map((fields) => ({
      organizationId,
      appId,
      viewId: null,
      domain: batch.domain,
      urlPattern,
      status: 'draft',
      ...tier,
      batchId: batch.id,
      document: batch.document,
      changedBy: batch.createdBy,
      chunkIndex: index,
      sourceUrl: batch.sourceUrl,
      sourceSha256: section.sha256,
      sourceTitle: section.title,
      ...fields,
    })),
  );
}
