import type { Language } from '../../language/language-pack.js';
import type { WithDb } from '../../platform/app.js';

/** A question of a person that found no answer. */
export interface UnansweredQuestion {
  questionId: number;
  conversationId: string;
  /** Its beginning: at most 500 characters. */
  text: string;
  language: Language;
  pageUrl: string | null;
  appId: number | null;
  askedAt: string;
  /** When its reply was stored: the time by which questions are listed. */
  repliedAt: string;
  userId: number | null;
  endUserId: number | null;
  visitorId: string | null;
}

const columns = `asked.id as "questionId", substr(asked.content, 1, 500) as text,
  asked.page_url as "pageUrl", asked.created_at as "askedAt", messages.created_at as "repliedAt",
  messages.language, messages.conversation_id as "conversationId", conversations.app_id as "appId",
  conversations.user_id as "userId", conversations.end_user_id as "endUserId",
  conversations.visitor_id as "visitorId"`;

/** The latest questions of an organization without an answer since a time, the newest first. */
export async function listUnanswered(
  app: WithDb,
  organizationId: number,
  { since, limit }: { since: string; limit: number },
): Promise<UnansweredQuestion[]> {
  // SQLite shall read the index messages_counted, the latest first.
  const { joinInOrder } = app.db.dialect;
  return app.db.read.raw<UnansweredQuestion[]>(
    `select ${columns} from messages
     ${joinInOrder} conversations on conversations.id = messages.conversation_id
     ${joinInOrder} messages as asked on asked.id = messages.question_id
     where messages.role = 'assistant' and messages.found is not null and messages.found = false
       and messages.created_at >= ? and conversations.organization_id = ?
       and conversations.channel <> 'cli'
     order by messages.created_at desc limit ?`,
    [since, organizationId, limit],
  );
}

/** Those of some questions that are stored and have no answer. */
export async function findUnanswered(
  app: WithDb,
  questionIds: readonly number[],
): Promise<UnansweredQuestion[]> {
  const { joinInOrder } = app.db.dialect;
  return app.db.read.raw<UnansweredQuestion[]>(
    `select ${columns} from messages as asked
     ${joinInOrder} messages on messages.question_id = asked.id and messages.found = false
     ${joinInOrder} conversations on conversations.id = messages.conversation_id
     where ?`,
    [app.db.dialect.isAmong(app.db.read, 'asked.id', questionIds)],
  );
}

/** The whole text of a question; undefined when its conversation was deleted. */
export async function findQuestionText(
  app: WithDb,
  questionId: number,
): Promise<string | undefined> {
  const found = await app.db
    .read<{ id: number; content: string }>('messages')
    .where({ id: questionId })
    .first('content');
  return found?.content;
}
