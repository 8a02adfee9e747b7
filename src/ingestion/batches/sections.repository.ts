import type { DocumentSection } from '../../documents/document.js';
import type { WithDb } from '../../platform/app.js';

// The sections of documents without pages, as they were read. The caller must have checked the organization.

export type StoredSection = Pick<DocumentSection, 'title' | 'content' | 'language' | 'anchor'> & {
  /** From 0, in the order of the document. */
  position: number;
};

/** Rows per insert: well below the parameters that a statement may bind. */
const rowsPerInsert = 50;

/** Stores the sections of a batch, in place of those of an earlier attempt. */
export async function storeSections(
  app: WithDb,
  batchId: string,
  sections: readonly DocumentSection[],
): Promise<void> {
  await app.db.write('ingestion_sections').where({ batch_id: batchId }).delete();
  const rows = sections.map(({ title, content, language, anchor }, position) => ({
    batch_id: batchId,
    position,
    title,
    content,
    language,
    anchor,
  }));
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    await app.db.write('ingestion_sections').insert(rows.slice(start, start + rowsPerInsert));
  }
}

/** The sections from one position to another, inclusive. */
export async function findSections(
  app: WithDb,
  batchId: string,
  { from, to }: { from: number; to: number },
): Promise<StoredSection[]> {
  return app.db
    .read<StoredSection>('ingestion_sections')
    .where('batch_id', batchId)
    .whereBetween('position', [from, to])
    .orderBy('position')
    .select('position', 'title', 'content', 'language', 'anchor');
}
