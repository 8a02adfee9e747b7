import type { App } from '../platform/app.js';

type Store = Pick<App, 'db'>;

interface WorkRow {
  id: number;
  erased: number;
  rewritten: number;
}

/** Notes, in the transaction of an erasure, that the file is to be rewritten. */
export async function noteErased(app: Store): Promise<void> {
  await app.db.write<WorkRow>('erasure_work').where({ id: 1 }).increment('erased');
}

/** Up to which erasure the file is still to be rewritten; undefined where it was. */
export async function findRewriteDue(app: Store): Promise<number | undefined> {
  const row = await app.db.read<WorkRow>('erasure_work').where({ id: 1 }).first();
  return row === undefined || row.rewritten >= row.erased ? undefined : row.erased;
}

export async function noteRewritten(app: Store, erased: number): Promise<void> {
  await app.db.write('erasure_work').where({ id: 1 }).update({ rewritten: erased });
}
