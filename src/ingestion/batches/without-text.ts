import type { Knex } from 'knex';
import type { DocumentKind } from '../../documents/document.js';
import type { ErrorCode } from '../../platform/errors.js';

// A page of links has no text of its own. That is no failure where it stands among others, in a folder or on a website.
// Of a PDF or office file without text, its pages may be pictures: a person should know.

const code = 'no_extractable_text' satisfies ErrorCode;
const kindsOfPages: readonly DocumentKind[] = ['html', 'markdown', 'text'];

export function mayHaveNoText(kind: DocumentKind): boolean {
  return kindsOfPages.includes(kind);
}

/** True for a page, by its kind and the reason why it could not be read, that has no text of its own. */
export function hasNoText(kind: DocumentKind, error: { code: ErrorCode } | null): boolean {
  return error?.code === code && mayHaveNoText(kind);
}

/** Leaves out the batches of such pages, except those that were uploaded alone and those that had text before. */
export function exceptWithoutText(query: Knex.QueryBuilder, read: Knex): void {
  void query.whereNot((page) => {
    void page
      .where({ error_code: code })
      .whereIn('kind', [...kindsOfPages])
      .where((found) => {
        for (const one of ['source', 'folder', 'source_path']) void found.orWhereNotNull(one);
      })
      .whereNotExists(
        read('ingestion_batches as earlier')
          .where('earlier.organization_id', read.ref('ingestion_batches.organization_id'))
          .where('earlier.document', read.ref('ingestion_batches.document'))
          .where('earlier.status', 'completed'),
      );
  });
}
