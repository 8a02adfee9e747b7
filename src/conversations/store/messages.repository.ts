import type { Quote } from '../../knowledge/check-quotes.js';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { insertRow } from '../../platform/db/insert-row.js';
import { selectPage, type Page, type Paged } from '../../platform/db/select-page.js';
import type { AnswerMode, Source } from '../../answers/answer.js';
import type { TextRange } from '../../answers/check-support.js';
import type { Language } from '../../language/language-pack.js';
import type { Message, NewMessage } from './conversation.js';

interface MessageRow {
  id: number;
  conversation_id: string;
  role: 'user' | 'assistant';
  content: string;
  status: 'complete' | 'incomplete';
  language: Language;
  mode: AnswerMode | null;
  found: number | boolean | null;
  sources: string;
  unsupported: string;
  internal_entries: string;
  question_id: number | null;
  of_other_app: number | boolean;
  created_at: string;
}

type Store = Pick<App, 'db' | 'clock'>;

/** The caller must also call touchConversation. */
export async function insertMessage(app: Store, message: NewMessage): Promise<Message> {
  const now = timestamp(app.clock);
  const row = {
    conversation_id: message.conversationId,
    role: message.role,
    content: message.content,
    status: message.status,
    language: message.language,
    mode: message.mode,
    found: message.found,
    sources: JSON.stringify(message.sources),
    unsupported: JSON.stringify(message.unsupported),
    internal_entries: JSON.stringify(message.internalEntries),
    question_id: message.questionId,
    of_other_app: message.ofOtherApp,
    page_url: message.pageUrl,
    created_at: now,
  };
  const id = await insertRow(app.db.write, 'messages', row);
  return toMessage({ ...row, id });
}

export async function findMessage(
  app: Store,
  conversationId: string,
  id: number,
): Promise<Message | undefined> {
  const row = await app.db
    .read<MessageRow>('messages')
    .where({ conversation_id: conversationId, id })
    .first();
  return row === undefined ? undefined : toMessage(row);
}

export async function findReplyTo(app: Store, questionId: number): Promise<Message | undefined> {
  const row = await app.db
    .read<MessageRow>('messages')
    .where({ question_id: questionId })
    .orderBy('id')
    .first();
  return row === undefined ? undefined : toMessage(row);
}

/** The language of the latest answer to a question with these words; undefined without one. */
export async function findLanguageOf(
  app: Store,
  { conversationId, content }: Pick<Message, 'conversationId' | 'content'>,
): Promise<Language | undefined> {
  const row = (await app.db
    .read('messages as asked')
    .leftJoin('messages as reply', 'reply.question_id', 'asked.id')
    .where({ 'asked.conversation_id': conversationId, 'asked.role': 'user' })
    .where('asked.content', content)
    .orderBy('asked.id', 'desc')
    .first<unknown>('asked.language', 'reply.language as answered')) as
    { language: Language; answered: Language | null } | undefined;
  return row?.answered ?? row?.language;
}

/** The language of an end user's latest question; undefined without one. */
export async function findLastLanguageOf(
  app: Store,
  endUserId: number,
): Promise<Language | undefined> {
  const row = await app.db
    .read<MessageRow>('messages')
    .whereIn(
      'conversation_id',
      app.db.read('conversations').where({ end_user_id: endUserId }).select('id'),
    )
    .where({ role: 'user' })
    .orderBy('id', 'desc')
    .first('language');
  return row?.language;
}

export async function findReplied(app: Store, questionIds: number[]): Promise<Set<number>> {
  const rows = await app.db
    .read<MessageRow>('messages')
    .whereRaw('question_id in (select value from json_each(?))', [JSON.stringify(questionIds)])
    .select('question_id');
  return new Set(rows.flatMap(({ question_id: id }) => (id === null ? [] : [id])));
}

/** Whether messages of other apps are included. */
export interface MessageReach {
  otherApps: boolean;
}

/** A page of a conversation's messages, oldest first. */
export async function listMessagesOf(
  app: Store,
  conversationId: string,
  reach: MessageReach,
  page: Page,
): Promise<Paged<Message>> {
  const query = app.db.read('messages').where(within(conversationId, reach));
  return selectPage(query, [{ column: 'id' }], page, toMessage);
}

/** The last messages of a conversation, oldest first. */
export async function lastMessagesOf(
  app: Store,
  conversationId: string,
  reach: MessageReach,
  limit: number,
): Promise<Message[]> {
  const rows = await app.db
    .read<MessageRow>('messages')
    .where(within(conversationId, reach))
    .orderBy('id', 'desc')
    .limit(limit)
    .select('*');
  return rows.map(toMessage).reverse();
}

function within(conversationId: string, { otherApps }: MessageReach) {
  return { conversation_id: conversationId, ...(otherApps ? {} : { of_other_app: false }) };
}

/** Parses the column `internal_entries`. Older rows contain only uuids, without versions. */
export function readInternalEntries(json: string): Quote[] {
  const stored = JSON.parse(json) as (Quote | string)[];
  return stored.map((one) => (typeof one === 'string' ? { uuid: one } : one));
}

function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    role: row.role,
    content: row.content,
    status: row.status,
    language: row.language,
    mode: row.mode,
    found: row.found === null ? null : Boolean(row.found),
    sources: JSON.parse(row.sources) as Source[],
    unsupported: JSON.parse(row.unsupported) as TextRange[],
    internalEntries: readInternalEntries(row.internal_entries),
    questionId: row.question_id,
    ofOtherApp: Boolean(row.of_other_app),
    withheld: false,
    createdAt: row.created_at,
  };
}
