import { failWithoutFile, listWithoutFile } from '../../ingestion/batches/uploads.repository.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import type { Damage } from './damage.js';

/** Uploaded files whose stored bytes are incomplete. Files without a batch are found by `references`. */
export const files: Damage = {
  name: 'files',
  status: 'warning',
  async find(app) {
    return (await listWithoutFile(app)).map(({ id, fileName, status }) => {
      const what = `the stored file ${JSON.stringify(fileName)} of batch ${id} is not whole`;
      const remedy = `The entries of the batch stand. To store the file again: assistant ingest --force with this file`;
      return status === 'completed' ? { what, remedy } : { what };
    });
  },
  async mend(app) {
    return inTransaction(app, async (app) => {
      const lost = await listWithoutFile(app);
      const unread = lost.filter(({ status }) => status !== 'completed');
      for (const { id } of unread) await failWithoutFile(app, id);
      return unread.map(({ id, fileName }) => {
        return `ended batch ${id}, which could never be read: upload ${JSON.stringify(fileName)} again`;
      });
    });
  },
};
