import type { Knex } from 'knex';
import type { Quote } from '../../knowledge/check-quotes.js';
import type { Store, WithDb } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { insertRow } from '../../platform/db/record.js';
import { countOf, selectPage, type Page, type Paged } from '../../platform/db/select-page.js';
import type { Language } from '../../language/language-pack.js';
import { messages, type Message, type NewMessage, type CitingAnswer } from './conversation.js';

/** The caller must also call touchConversation. */
export async function insertMessage(app: Store, message: NewMessage): Promise<Message> {
  const now = timestamp(app.clock);
  const fields = { ...message, createdAt: now };
  const row = messages.columns(fields);
  return { ...fields, id: await insertRow(app.db.write, 'messages', row), withheld: false };
}

export async function findMessage(
  app: Store,
  conversationId: string,
  id: number,
): Promise<Message | undefined> {
  const query = app.db.read('messages').where({ conversation_id: conversationId, id });
  return firstMessage(query);
}

export async function findReplyTo(app: Store, questionId: number): Promise<Message | undefined> {
  return firstMessage(app.db.read('messages').where({ question_id: questionId }).orderBy('id'));
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
    | { language: Language; answered: Language | null }
    | undefined;
  return row?.answered ?? row?.language;
}

/** The language of an end user's latest question; undefined without one. */
export async function findLastLanguageOf(
  app: Store,
  endUserId: number,
): Promise<Language | undefined> {
  const row = await app.db
    .read<{ role: string; language: Language }>('messages')
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
    .read<{ question_id: number | null }>('messages')
    .where(app.db.dialect.isAmong(app.db.read, 'question_id', questionIds))
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

/** How many messages a conversation has up to one of them. */
export async function countMessagesTo(
  app: Store,
  conversationId: string,
  id: number,
): Promise<number> {
  return countOf(
    app.db.read('messages').where({ conversation_id: conversationId }).where('id', '<=', id),
  );
}

/** How many messages each of the conversations has; those without any are omitted. */
export async function countMessagesIn(
  app: Store,
  conversationIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await app.db
    .read('messages')
    .whereIn('conversation_id', conversationIds)
    .groupBy('conversation_id')
    .select('conversation_id')
    .count<{ conversation_id: string; count: number }[]>({ count: '*' });
  return new Map(rows.map(({ conversation_id: id, count }) => [id, count]));
}

/** The next messages of conversations, oldest first, after the id `after`. */
export async function messagesAfter(
  app: Store,
  conversationIds: readonly string[],
  { after, limit }: { after: number; limit: number },
): Promise<Message[]> {
  const query = app.db.read('messages').whereIn('conversation_id', conversationIds);
  const next = query.where('id', '>', after).orderBy('id').limit(limit);
  return ((await next.select('*')) as object[]).map(toMessage);
}

/** The last messages of a conversation, oldest first. */
export async function lastMessagesOf(
  app: Store,
  conversationId: string,
  reach: MessageReach,
  limit: number,
): Promise<Message[]> {
  const query = app.db.read('messages').where(within(conversationId, reach));
  const rows = (await query.orderBy('id', 'desc').limit(limit).select('*')) as object[];
  return rows.map(toMessage).reverse();
}

function within(conversationId: string, { otherApps }: MessageReach) {
  return { conversation_id: conversationId, ...(otherApps ? {} : { of_other_app: false }) };
}

/** The internal entries of a message. Older rows contain only uuids, without versions. */
export function readInternalEntries(stored: (Quote | string)[]): Quote[] {
  return stored.map((one) => (typeof one === 'string' ? { uuid: one } : one));
}

async function firstMessage(query: Knex.QueryBuilder): Promise<Message | undefined> {
  const row = (await query.first()) as object | undefined;
  return row === undefined ? undefined : toMessage(row);
}

function toMessage(row: object): Message {
  const message = messages.read(row);
  const internalEntries = readInternalEntries(message.internalEntries);
  return { ...message, internalEntries, withheld: false };
}

/** The answers with these ids, the newest first. */
export async function findCitingAnswers(
  app: WithDb,
  ids: readonly number[],
): Promise<CitingAnswer[]> {
  const rows = await app.db.read.raw<(Omit<CitingAnswer, 'found'> & { found: unknown })[]>(
    `select reply.id, reply.conversation_id as "conversationId", conversations.channel,
       asked.id as "questionId", asked.content as question, reply.language, reply.found,
       reply.status, reply.mode, message_feedback.rating, reply.created_at as "createdAt"
     from messages as reply
     join conversations on conversations.id = reply.conversation_id
     left join messages as asked on asked.id = reply.question_id
     left join message_feedback on message_feedback.message_id = reply.id
     where ?
     order by reply.id desc`,
    [app.db.dialect.isAmong(app.db.read, 'reply.id', ids)],
  );
  return rows.map((row) => ({ ...row, found: row.found === null ? null : Boolean(row.found) }));
}
