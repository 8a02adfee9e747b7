import { recordChange } from '../audit/record-change.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { getView } from '../tenancy/manage-views.js';
import { presentView } from '../tenancy/tenancy.schema.js';
import { deleteViewRow } from '../tenancy/views.repository.js';
import { countEntriesBoundTo } from './entry-lists.repository.js';

/** Deletes a view. Refuses with `not_found`, and `conflict` while entries are bound to it. */
export async function deleteView(app: App, actor: Actor, id: number): Promise<void> {
  await inTransaction(app, async (app) => {
    const view = await getView(app, actor, id);
    const bound = await countEntriesBoundTo(app, { viewIds: [id] });
    if (bound > 0) {
      const entries = bound === 1 ? '1 entry is' : `${bound} entries are`;
      throw new AppError('conflict', `${entries} bound to this view. Bind or delete them first.`);
    }
    await deleteViewRow(app, id);
    await recordChange(app, actor, {
      organizationId: view.organizationId,
      action: 'view.delete',
      subject: `view:${id}`,
      before: presentView(view),
    });
  });
}
