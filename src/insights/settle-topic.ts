import { recordChange } from '../audit/record-change.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { storeSettled } from './settled-questions.repository.js';
import { getTopic } from './topics.js';

/** Leaves a topic out of account, or takes it back into account. Refuses as getTopic does. */
export async function settleTopic(
  app: App,
  actor: Actor,
  id: number,
  { leftOut }: { leftOut: boolean },
): Promise<void> {
  const { organizationId } = requirePermission(actor, 'requests.resolve');
  await inTransaction(app, async (app) => {
    const topic = await getTopic(app, actor, id);
    if (topic.isLeftOut === leftOut) return;
    const questions = topic.questions.map(({ questionId }) => questionId);
    await storeSettled(app, questions, leftOut ? 'left_out' : null);
    // The audit log is kept for longer than conversations: no text of theirs.
    await recordChange(app, actor, {
      ...{ organizationId, action: 'topic.settle', subject: `topic:${topic.id}` },
      before: { left_out: topic.isLeftOut },
      after: { left_out: leftOut },
    });
  });
}
