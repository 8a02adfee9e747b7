import { recordChange } from '../audit/record-change.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { findSettled, storeSettled } from './settled-questions.repository.js';
import { getTopic } from './topics.js';

/** Leaves a topic out of account, or takes it back into account. Errors: those of getTopic. */
export async function settleTopic(
  app: App,
  actor: Actor,
  id: number,
  { leftOut }: { leftOut: boolean },
): Promise<void> {
  const { organizationId } = requirePermission(actor, 'requests.resolve');
  // Grouping the questions takes too long for a transaction.
  const topic = await getTopic(app, actor, id);
  const ids = topic.questions.map(({ questionId }) => questionId);
  await inTransaction(app, async (app) => {
    const settled = await findSettled(app, ids);
    if ([...settled.values()].includes('left_out') === leftOut) return;
    const open = ids.filter((one) => settled.get(one) !== 'answered');
    await storeSettled(app, open, leftOut ? 'left_out' : null);
    // The audit log is kept for longer than conversations: no text of theirs.
    await recordChange(app, actor, {
      organizationId,
      action: 'topic.settle',
      subject: `topic:${topic.id}`,
      before: { left_out: !leftOut },
      after: { left_out: leftOut },
    });
  });
}
