import { sep } from 'node:path';
import type { Knex } from 'knex';
import { selectPage, type Page, type Paged } from '../../platform/db/select-page.js';
import type { WithDb } from '../../platform/app.js';
import { toBatch, type BatchRow } from './batch-row.js';
import type { Batch } from './batch.js';

// A document is all readings of one file. It is named by its last reading.

/** Where documents belong. */
export interface Place {
  organizationId: number;
  appId: number;
  domain: string | null;
}

/** The documents of a stated source, each as its last reading, by name. */
export async function listDocumentsOfSource(
  app: WithDb,
  { organizationId, appId, domain, source }: Place & { source: string },
  page: Page,
): Promise<Paged<Batch>> {
  const query = app.db
    .read('ingestion_batches')
    .where({ organization_id: organizationId, source, app_id: appId, domain })
    .whereNotExists(later(app));
  return selectPage<BatchRow, Batch>(
    query,
    [{ column: 'document' }, { column: 'id' }],
    page,
    toBatch,
  );
}

/** A document without a stated source whose last reading came from a file of this machine. */
export interface DocumentOfFile {
  batch: Batch;
  path: string;
}

/** The documents of an app and domain without a source whose last reading came from a file below a folder. */
export async function findDocumentsBelow(
  app: WithDb,
  { organizationId: organization_id, appId: app_id, domain }: Place,
  folder: string,
): Promise<DocumentOfFile[]> {
  // Compares literally: no character of a folder is a wildcard.
  const below = 'substr(source_path, 1, length(?)) = ?';
  const start = folder.endsWith(sep) ? folder : `${folder}${sep}`;
  const rows = await app.db
    .read<BatchRow>('ingestion_batches')
    .where({ organization_id, app_id, domain, source: null })
    .whereRaw(below, [start, start])
    .whereNotExists(later(app))
    .orderBy('source_path')
    .select('*');
  return rows.map((row) => ({ batch: toBatch(row), path: row.source_path ?? '' }));
}

/** A later reading of the same document. */
function later({ db: { read } }: WithDb): Knex.QueryBuilder {
  return read('ingestion_batches as later')
    .where('later.organization_id', read.ref('ingestion_batches.organization_id'))
    .where('later.document', read.ref('ingestion_batches.document'))
    .whereRaw(
      '(later.created_at, later.id) > (ingestion_batches.created_at, ingestion_batches.id)',
    );
}
