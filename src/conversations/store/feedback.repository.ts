import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import type { Feedback, Rating } from './conversation.js';

interface FeedbackRow {
  message_id: number;
  rating: Rating;
  comment: string | null;
  created_at: string;
  updated_at: string;
}

/** The feedback by message; messages without any are omitted. */
export async function findFeedbackOn(
  app: Store,
  messageIds: number[],
): Promise<Map<number, Feedback>> {
  const rows = await app.db
    .read<FeedbackRow>('message_feedback')
    .whereIn('message_id', messageIds)
    .select('*');
  return new Map(
    rows.map(({ message_id, rating, comment, updated_at: updatedAt }) => [
      message_id,
      { rating, comment, updatedAt },
    ]),
  );
}

/** Stores the feedback on a message, replacing an earlier one. */
export async function storeFeedback(
  app: Store,
  messageId: number,
  given: Omit<Feedback, 'updatedAt'>,
): Promise<void> {
  const now = timestamp(app.clock);
  const change = { rating: given.rating, comment: given.comment, updated_at: now };
  await app.db
    .write('message_feedback')
    .insert({ message_id: messageId, ...change, created_at: now })
    .onConflict('message_id')
    .merge(change);
}

export async function deleteFeedback(app: Store, messageId: number): Promise<void> {
  await app.db.write('message_feedback').where({ message_id: messageId }).delete();
}
