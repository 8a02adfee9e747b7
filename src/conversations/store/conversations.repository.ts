import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { whereOwn } from '../../federation/one-person.repository.js';
import type { Person } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { countUpTo, type Page, type Paged } from '../../platform/db/select-page.js';
import type { Channel } from '../../usage/payer.js';
import { conversations, type Conversation, type Rating } from './conversation.js';

/** The owner of conversations: a user or end user (with linked persons), a visitor, or the operator (all null). */
export interface ConversationOwner extends Person {
  organizationId: number;
}

/** The conversations of one owner, or of a whole organization. */
export type ConversationReach = ConversationOwner | { organizationId: number; userId: 'anyone' };

/** Conditions of a list; all must match. */
export interface ConversationFilter {
  channel?: Channel | undefined;
  appId?: number | undefined;
  /** A user's conversations under any credential, including those of linked identities. */
  userId?: number | undefined;
  /** True: with an answer from the knowledge. False: with an answer that found none. */
  found?: boolean | undefined;
  rating?: Rating | undefined;
}

type Store = Pick<App, 'db' | 'clock'>;

const ownerColumns = {
  user: 'user_id',
  endUser: 'end_user_id',
  visitor: 'visitor_id',
  app: 'app_id',
  time: 'conversations.created_at',
};

export async function insertConversation(
  app: Store,
  fields: Omit<Conversation, 'id' | 'createdAt' | 'updatedAt'>,
): Promise<Conversation> {
  const now = timestamp(app.clock);
  const conversation = { ...fields, id: randomUUID(), createdAt: now, updatedAt: now };
  await app.db.write('conversations').insert(conversations.columns(conversation));
  return conversation;
}

export async function findConversation(
  app: Store,
  owner: ConversationReach,
  id: string,
): Promise<Conversation | undefined> {
  return conversations.first(owned(app, owner).where({ id }));
}

/** Records a new message in a conversation within reach. Returns false when there is no such conversation. */
export async function touchConversation(
  app: Store,
  owner: ConversationReach,
  id: string,
  title?: string,
): Promise<boolean> {
  const touched: number = await owned(app, owner)
    .where({ id })
    .update({ updated_at: timestamp(app.clock), ...(title === undefined ? {} : { title }) });
  return touched > 0;
}

/** Passes a visitor's conversation to an end user of the same app. Returns false when there is none. */
export async function giveConversation(
  app: Store,
  { id, appId }: { id: string; appId: number },
  visitorIds: string[],
  endUserId: number,
): Promise<boolean> {
  const given = await app.db
    .write('conversations')
    .where({ id, app_id: appId })
    .whereIn('visitor_id', visitorIds)
    .update({ visitor_id: null, end_user_id: endUserId });
  return given > 0;
}

/** A page of conversations, the latest written first. */
export async function listConversationsOf(
  app: Store,
  owner: ConversationReach,
  filter: ConversationFilter,
  page: Page,
): Promise<Paged<Conversation>> {
  const { channel, appId, userId, found, rating } = filter;
  const query = owned(app, owner);
  if (channel !== undefined) void query.where({ channel });
  if (appId !== undefined) void query.where({ app_id: appId });
  if (userId !== undefined) {
    const { organizationId } = owner;
    const user = { organizationId, userId, endUserId: null, visitorId: null };
    void query.where((own) => {
      void whereOwn(app, own, user, ownerColumns);
    });
  }
  const answers = app.db.read('messages').whereRaw('messages.conversation_id = conversations.id');
  if (found !== undefined) void query.whereExists(answers.clone().where({ found }));
  if (rating !== undefined) {
    const rated = app.db.read('message_feedback').whereRaw('message_id = messages.id');
    void query.whereExists(answers.clone().whereExists(rated.where({ rating })));
  }
  const order = [{ column: 'updated_at', order: 'desc' as const }, { column: 'id' }];
  return conversations.page(query, order, page);
}

/** Of the conversations with these messages (a query of their ids), those without an owner. */
export async function findUnheldConversations(
  app: Store,
  organizationId: number,
  messageIds: Knex.QueryBuilder,
): Promise<string[]> {
  const held = app.db.read('messages').whereIn('id', messageIds).select('conversation_id');
  const nobody = { user_id: null, end_user_id: null, visitor_id: null };
  return (await app.db
    .read('conversations')
    .where({ organization_id: organizationId, ...nobody })
    .whereIn('id', held)
    .pluck('id')) as string[];
}

/** Deletes a conversation with its messages and their feedback. */
export async function deleteConversationById(app: Store, id: string): Promise<void> {
  await app.db.write('conversations').where({ id }).delete();
}

function owned(app: Store, owner: ConversationReach) {
  const query: Knex.QueryBuilder = app.db.read('conversations');
  if (owner.userId === 'anyone') return query.where({ organization_id: owner.organizationId });
  return whereOwn(app, query, owner, ownerColumns);
}

/** True when a question to the organization was answered from its knowledge. */
export async function hasAnswered(app: Store, organizationId: number): Promise<boolean> {
  const answers = app.db.read('messages').whereRaw('messages.conversation_id = conversations.id');
  const answered = app.db
    .read('conversations')
    .where({ organization_id: organizationId })
    .whereExists(answers.where({ found: true }));
  return (await countUpTo(app, answered, 1)) > 0;
}
