import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { whereOwn } from '../../federation/one-person.repository.js';
import type { Person } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { selectPage, type Page, type Paged } from '../../platform/db/select-page.js';
import type { Channel } from '../../usage/payer.js';
import type { Conversation, Rating } from './conversation.js';

interface ConversationRow {
  id: string;
  organization_id: number;
  app_id: number | null;
  user_id: number | null;
  end_user_id: number | null;
  visitor_id: string | null;
  channel: Channel;
  title: string;
  created_at: string;
  updated_at: string;
}

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
  const row: ConversationRow = {
    id: randomUUID(),
    organization_id: fields.organizationId,
    app_id: fields.appId,
    user_id: fields.userId,
    end_user_id: fields.endUserId,
    visitor_id: fields.visitorId,
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
  owner: ConversationReach,
  id: string,
): Promise<Conversation | undefined> {
  const row = (await owned(app, owner).where({ id }).first()) as ConversationRow | undefined;
  return row === undefined ? undefined : toConversation(row);
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
  return selectPage(query, order, page, toConversation);
}

/** Of the conversations with these messages (a query of their ids), those without an owner. */
export async function findUnheldConversations(
  app: Store,
  organizationId: number,
  messageIds: Knex.QueryBuilder,
): Promise<string[]> {
  const held = app.db.read('messages').whereIn('id', messageIds).select('conversation_id');
  return app.db
    .read<ConversationRow>('conversations')
    .where({ organization_id: organizationId, user_id: null, end_user_id: null, visitor_id: null })
    .whereIn('id', held)
    .pluck('id');
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

function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    organizationId: row.organization_id,
    appId: row.app_id,
    userId: row.user_id,
    endUserId: row.end_user_id,
    visitorId: row.visitor_id,
    channel: row.channel,
    title: row.title,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
