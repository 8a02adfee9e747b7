import type { WithDb } from '../../platform/app.js';
import type { CitingAnswer } from './conversation.js';

/** The answers with these ids, the newest first. */
export async function findCitingAnswers(
  app: WithDb,
  ids: readonly number[],
): Promise<CitingAnswer[]> {
  const rows = await app.db.read.raw<(Omit<CitingAnswer, 'found'> & { found: unknown })[]>(
    `select reply.id, reply.conversation_id as conversationId, conversations.channel,
       asked.id as questionId, asked.content as question, reply.language, reply.found,
       reply.status, reply.mode, message_feedback.rating, reply.created_at as createdAt
     from messages as reply
     join conversations on conversations.id = reply.conversation_id
     left join messages as asked on asked.id = reply.question_id
     left join message_feedback on message_feedback.message_id = reply.id
     where reply.id in (select value from json_each(?))
     order by reply.id desc`,
    [JSON.stringify(ids)],
  );
  return rows.map((row) => ({ ...row, found: row.found === null ? null : Boolean(row.found) }));
}
