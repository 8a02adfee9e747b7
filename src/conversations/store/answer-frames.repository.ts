import type { Store } from '../../platform/app.js';
import type { Logged } from '../../platform/event-log.js';

interface FrameRow {
  question_id: number;
  number: number;
  /** JSON. */
  frame: string;
}

/** Stores events of an answer that this process makes. Those that are stored already stay as they are. */
export async function insertFrames(
  app: Store,
  questionId: number,
  events: readonly Logged<unknown>[],
): Promise<void> {
  const rows = events.map(({ id, event }) => {
    return { question_id: questionId, number: id, frame: JSON.stringify(event) };
  });
  const { aside, write } = app.db;
  await (aside ?? write)<FrameRow>('answer_frames').insert(rows).onConflict().ignore();
}

/** The stored events of an answer after number `after`, in order. */
export async function listFrames<T>(
  app: Store,
  questionId: number,
  after: number,
): Promise<Logged<T>[]> {
  const rows = await app.db
    .read<FrameRow>('answer_frames')
    .where({ question_id: questionId })
    .where('number', '>', after)
    .orderBy('number')
    .select('number', 'frame');
  return rows.map(({ number, frame }) => ({ id: number, event: JSON.parse(frame) as T }));
}
