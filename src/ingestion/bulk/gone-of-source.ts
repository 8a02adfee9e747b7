import { codeOf } from '../../platform/errors.js';
import type { Page, Paged } from '../../platform/db/select-page.js';
import type { GoneDocument } from '../review/prune-documents.js';
import type { SourceDocument, WeighedDocument } from '../review/list-documents.js';
import type { FoundDocuments } from './ingest-target.js';

/** The documents of a source, as a target lists them. */
export interface SourceList {
  list: (page: Page) => Promise<Paged<SourceDocument>>;
  weigh: (batchId: string) => Promise<WeighedDocument>;
  /** The most documents on a page. */
  limit: number;
}

/** Another run may have removed a document since it was listed. */
function unlessRemoved(error: unknown): undefined {
  if (codeOf(error) !== 'not_found') throw error;
}

/** The documents of a source that have no file in a run: neither of their name nor with their bytes. */
export async function findGoneOfSource(
  { list, weigh, limit }: SourceList,
  { names, present }: Omit<FoundDocuments, 'folders'>,
): Promise<GoneDocument[]> {
  const gone: GoneDocument[] = [];
  for (let page = 1, read = 0, total = 1; read < total; page++) {
    const found = await list({ page, limit });
    if (found.items.length === 0) break;
    for (const { batchId, fileName } of found.items) {
      if (names.has(fileName) || present.has(batchId)) continue;
      const weighed = await weigh(batchId).catch(unlessRemoved);
      if (weighed !== undefined) gone.push({ ...weighed, path: null });
    }
    read += found.items.length;
    total = found.total;
  }
  return gone;
}
