import type { WithDb } from '../../platform/app.js';
import type { BatchRow } from './batch-row.js';

/** The last names of ingested files by path, for an app, domain and source; the latest reading comes last. */
export async function findNamesOfPaths(
  app: WithDb,
  target: { organizationId: number; appId: number; domain: string | null; source: string | null },
  paths: readonly string[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const { organizationId: organization_id, appId: app_id, domain, source } = target;
  for (let start = 0; start < paths.length; start += 500) {
    const rows = await app.db
      .read<BatchRow>('ingestion_batches')
      .where({ organization_id, app_id, domain, source })
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

/** The path of a batch's file, if it is on this machine. */
export async function findPathOf(app: WithDb, batchId: string): Promise<string | null> {
  const rows = app.db.read<BatchRow>('ingestion_batches').where({ id: batchId });
  return (await rows.first('source_path'))?.source_path ?? null;
}

/** Stores the new path of a batch's file. */
export async function movePath(app: WithDb, batchId: string, path: string): Promise<void> {
  await app.db.write('ingestion_batches').where({ id: batchId }).update({ source_path: path });
}
