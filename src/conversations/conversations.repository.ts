import { randomUUID } from 'node:crypto';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertRow } from '../platform/db/insert-row.js';
import type { AnswerMode, Source } from '../answers/answer.js';
import type { Language } from '../platform/text/languages.js';
import type { Channel } from '../usage/record-usage.js';
import type { Conversation, Message, NewMessage } from './conversation.js';

interface ConversationRow {
  id: string;
  organization_id: number;
  app_id: number | null;
  user_id: number | null;
  channel: Channel;
  title: string;
  created_at: string;
  updated_at: string;
}

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
  created_at: string;
}

/** Whose conversations are looked at: one user's, the operator's own (null), or all of an organization. */
export interface ConversationOwner {
  organizationId: number;
  userId: number | null | 'anyone';
}

type Store = Pick<App, 'db' | 'clock'>;

export async function insertConversation(
  app: Store,
  fields: Omit<Conversation, 'id' | 'createdAt' | 'updatedAt'>,
): Promise<Conversation> {
  const now = timestamp(app.clock);
  const row: ConversationRow = {
    id: randomUUID(),
    organization_id: fields.organizationId,
    app_id: fields.appId,
    user_id: fields.userId,
    channel: fields.channel,
    title: fields.title,
    created_at: now,
    updated_at: now,
  };
  await app.db.write('conversations').insert(row);
  return toConversation(row);
}

export async function findConversation(
  app: Store,
  owner: ConversationOwner,
  id: string,
): Promise<Conversation | undefined> {
  const row = await owned(app, owner).where({ id }).first();
  return row === undefined ? undefined : toConversation(row);
}

/** A page of conversations, the one that was last written to first. */
export async function listConversationsOf(
  app: Store,
  owner: ConversationOwner,
  page: { offset: number; limit: number },
): Promise<{ conversations: Conversation[]; total: number }> {
  const counted = (await owned(app, owner).count({ count: '*' }).first()) as unknown as {
    count: number;
  };
  const rows: ConversationRow[] = await owned(app, owner)
    .orderBy([{ column: 'updated_at', order: 'desc' }, 'id'])
    .offset(page.offset)
    .limit(page.limit)
    .select('*');
  return { conversations: rows.map(toConversation), total: counted.count };
}

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
    page_url: message.pageUrl,
    created_at: now,
  };
  const id = await insertRow(app.db.write, 'messages', row);
  await app.db
    .write('conversations')
    .where({ id: message.conversationId })
    .update({ updated_at: now });
  return toMessage({ ...row, id });
}

/** A page of a conversation's messages, oldest first. */
export async function listMessagesOf(
  app: Store,
  conversationId: string,
  page: { offset: number; limit: number },
): Promise<{ messages: Message[]; total: number }> {
  const query = app.db.read<MessageRow>('messages').where({ conversation_id: conversationId });
  const counted = (await query.clone().count({ count: '*' }).first()) as unknown as {
    count: number;
  };
  const rows: MessageRow[] = await query
    .clone()
    .orderBy('id')
    .offset(page.offset)
    .limit(page.limit)
    .select('*');
  return { messages: rows.map(toMessage), total: counted.count };
}

/** The last messages of a conversation, oldest first. */
export async function lastMessagesOf(
  app: Store,
  conversationId: string,
  limit: number,
): Promise<Message[]> {
  const rows = await app.db
    .read<MessageRow>('messages')
    .where({ conversation_id: conversationId })
    .orderBy('id', 'desc')
    .limit(limit)
    .select('*');
  return rows.map(toMessage).reverse();
}

function owned(app: Store, owner: ConversationOwner) {
  const query = app.db
    .read<ConversationRow>('conversations')
    .where({ organization_id: owner.organizationId });
  return owner.userId === 'anyone' ? query : query.where({ user_id: owner.userId });
}

function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    organizationId: row.organization_id,
    appId: row.app_id,
    userId: row.user_id,
    channel: row.channel,
    title: row.title,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
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
    createdAt: row.created_at,
  };
}
