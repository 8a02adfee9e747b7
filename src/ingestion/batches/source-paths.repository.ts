import { sep } from 'node:path';
import type { App } from '../../platform/app.js';
import type { BatchRow } from './batches.repository.js';

type Store = Pick<App, 'db'>;

/** The last names of ingested files by path, for an app and domain; the latest reading comes last. */
export async function findNamesOfPaths(
  app: Store,
  target: { organizationId: number; appId: number; domain: string | null },
  paths: readonly string[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const { organizationId: organization_id, appId: app_id, domain } = target;
  for (let start = 0; start < paths.length; start += 500) {
    const rows = await app.db
      .read<BatchRow>('ingestion_batches')
      .where({ organization_id, app_id, domain })
      .whereIn('source_path', paths.slice(start, start + 500))
      .orderBy('created_at')
      .select('source_path', 'file_name');
    for (const { source_path: path, file_name } of rows) {
      if (path === null) continue;
      names.delete(path);
      names.set(path, file_name);
    }
  }
  return names;
}

/** A document whose last reading came from a file. */
export interface DocumentOfFile {
  batchId: string;
  document: string;
  fileName: string;
  path: string;
}

/** The documents of an app and domain whose last reading came from a file below a folder. */
export async function findDocumentsBelow(
  app: Store,
  target: { organizationId: number; appId: number; domain: string | null },
  folder: string,
): Promise<DocumentOfFile[]> {
  const { organizationId: organization_id, appId: app_id, domain } = target;
  const { read } = app.db;
  const later = read('ingestion_batches as later')
    .where('later.organization_id', read.ref('ingestion_batches.organization_id'))
    .where('later.document', read.ref('ingestion_batches.document'))
    .whereRaw(
      '(later.created_at, later.id) > (ingestion_batches.created_at, ingestion_batches.id)',
    );
  // Compares literally: no character of a folder is a wildcard.
  const below = 'substr(source_path, 1, length(?)) = ?';
  const start = folder.endsWith(sep) ? folder : `${folder}${sep}`;
  const rows = await read<BatchRow>('ingestion_batches')
    .where({ organization_id, app_id, domain })
    .whereRaw(below, [start, start])
    .whereNotExists(later)
    .orderBy('source_path')
    .select('id', 'document', 'file_name', 'source_path');
  return rows.map((row) => ({
    batchId: row.id,
    document: row.document,
    fileName: row.file_name,
    path: row.source_path ?? '',
  }));
}

/** The path of a batch's file, if it is on this machine. */
export async function findPathOf(app: Store, batchId: string): Promise<string | null> {
  const rows = app.db.read<BatchRow>('ingestion_batches').where({ id: batchId });
  return (await rows.first('source_path'))?.source_path ?? null;
}

/** Stores the new path of a batch's file. */
export async function movePath(app: Store, batchId: string, path: string): Promise<void> {
  await app.db.write('ingestion_batches').where({ id: batchId }).update({ source_path: path });
}
