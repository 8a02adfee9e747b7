import type { Store, WithDb } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';

/** `left_out`: its topic needs no entry. `answered`: asked again, it got an answer. */
export type Settlement = 'left_out' | 'answered';

/** How questions were settled; the others are omitted. Their texts stay in their conversations alone. */
export async function findSettled(
  app: WithDb,
  questionIds: readonly number[],
): Promise<Map<number, Settlement>> {
  const rows = await app.db
    .read<{ question_id: number; how: Settlement }>('settled_questions')
    .where(app.db.dialect.isAmong(app.db.read, 'question_id', questionIds))
    .select('question_id', 'how');
  return new Map(rows.map(({ question_id: id, how }) => [id, how]));
}

/** Settles questions, or opens them again (null). */
export async function storeSettled(
  app: Store,
  questionIds: readonly number[],
  how: Settlement | null,
): Promise<void> {
  const settled_at = timestamp(app.clock);
  for (const question_id of questionIds) {
    await app.db.write('settled_questions').where({ question_id }).delete();
    if (how === null) continue;
    await app.db.write('settled_questions').insert({ question_id, how, settled_at });
  }
}
