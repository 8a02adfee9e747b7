import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { whereOwn } from '../../federation/one-person.repository.js';
import { formsOf } from '../../language/word-forms.js';
import type { Person } from '../../platform/actor.js';
import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import {
  countUpTo,
  keyOf,
  keyParts,
  type Keyed,
  type KeyPage,
  type Page,
  type Paged,
} from '../../platform/db/select-page.js';
import {
  isRare,
  repliesWanted,
  type ConversationFilter,
} from './conversation-filter.repository.js';
import { isHandedOver, isSettled } from './counted.repository.js';
import { conversations, type Conversation } from './conversation.js';

/** The owner of conversations: a user or end user (with linked persons), a visitor, or the operator (all null). */
export interface ConversationOwner extends Person {
  organizationId: number;
}

/** The conversations of one owner, or of a whole organization. */
export type ConversationReach = ConversationOwner | { organizationId: number; userId: 'anyone' };

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
  const query = matching(app, owner, filter);
  if (filter.q !== undefined) {
    const said = messagesWith(app, owner, filter.q);
    const ids = app.db.read('messages').whereIn('id', said).select('conversation_id');
    void query.whereIn('conversations.id', ids);
  }
  const order = [{ column: 'updated_at', order: 'desc' as const }, { column: 'id' }];
  return conversations.page(query, order, page);
}

/** A query of the ids of messages that contain all of these words: none for a text without a word. */
export function messagesWith(app: Store, { organizationId }: ConversationReach, words: string) {
  const { read, dialect } = app.db;
  const none = read('messages').whereRaw('1 = 0').select('id as message_id');
  return dialect.messagesWithWords(read, organizationId, words, formsOf) ?? none;
}

/** How many conversations fit a filter other than words, counted up to `most`; without it, all. */
export function countConversationsTo(
  app: Store,
  owner: ConversationReach,
  filter: ConversationFilter,
  most = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  return countUpTo(app, matching(app, owner, filter), most);
}

/** `latest`: the latest written first. `begun`: in the order in which they began, which no new message changes. */
export type WalkOrder = 'latest' | 'begun';

/** As many conversations are looked at one by one before all that fit are sorted. */
const mostLookedAt = 5000;

/** The next conversations that fit a filter other than words. `areMany`: it is known that many do. */
export async function walkConversations(
  app: Store,
  owner: ConversationReach,
  filter: ConversationFilter,
  page: KeyPage & { order: WalkOrder; areMany?: boolean },
): Promise<Keyed<Conversation>> {
  if (page.areMany === true && isRare(filter)) {
    const nearest = inOrder(owned(app, owner), page).limit(mostLookedAt).select('conversations.*');
    const from = app.db.read.raw('? as conversations', [nearest]);
    const found = await readWalk(matching(app, owner, filter, { from, isEach: true }), page);
    if (found.items.length === page.limit && found.next !== undefined) return found;
  }
  return readWalk(matching(app, owner, filter), page);
}

/** The conversations of a query after a key, in their order. */
function inOrder(
  query: Knex.QueryBuilder,
  { after, order }: KeyPage & { order: WalkOrder },
): Knex.QueryBuilder {
  const isLatest = order === 'latest';
  const time = `conversations.${isLatest ? 'updated_at' : 'created_at'}`;
  const direction = isLatest ? 'desc' : 'asc';
  const key = keyParts(after);
  if (key !== undefined) {
    void query.whereRaw(`(??, conversations.id) ${isLatest ? '<' : '>'} (?, ?)`, [time, ...key]);
  }
  return query.orderBy([
    { column: time, order: direction },
    { column: 'conversations.id', order: direction },
  ]);
}

async function readWalk(
  query: Knex.QueryBuilder,
  page: KeyPage & { order: WalkOrder },
): Promise<Keyed<Conversation>> {
  const { limit, order } = page;
  const rows: object[] = await inOrder(query, page)
    .limit(limit + 1)
    .select('conversations.*');
  const items = rows.slice(0, limit).map(conversations.read);
  const last = items.at(-1);
  if (rows.length <= limit || last === undefined) return { items, next: undefined };
  return { items, next: keyOf(order === 'latest' ? last.updatedAt : last.createdAt, last.id) };
}

/**
 * A query of the conversations within reach that fit a filter, whatever their words. `from` joins them with more.
 * `isEach`: looks at each conversation, instead of finding those with rare replies first.
 */
export function matching(
  app: Store,
  owner: ConversationReach,
  filter: ConversationFilter,
  { from, isEach = false }: { from?: Knex.Raw | undefined; isEach?: boolean } = {},
) {
  const { channel, appId, userId } = filter;
  const wanted = repliesWanted(app, filter, isEach);
  const query = owned(app, owner, { from, byId: wanted.rare.length > 0 });
  if (filter.withoutCli === true) void query.whereNot({ channel: 'cli' });
  if (channel !== undefined) void query.where({ channel });
  if (appId !== undefined) void query.where({ app_id: appId });
  if (userId !== undefined) {
    const { organizationId } = owner;
    const user = { organizationId, userId, endUserId: null, visitorId: null };
    void query.where((own) => {
      void whereOwn(app, own, user, ownerColumns);
    });
  }
  for (const replies of wanted.rare) {
    void query.whereIn('conversations.id', replies.select('messages.conversation_id'));
  }
  for (const replies of wanted.frequent) {
    const ofThis = replies.whereRaw('messages.conversation_id = conversations.id');
    void query.whereExists(ofThis.limit(1));
  }
  if (filter.outcome !== undefined) {
    const { is, of } = filter.outcome;
    const { sql, bindings } = is === 'settled' ? isSettled(of) : isHandedOver(of.handed);
    void query.whereRaw(sql, bindings);
  }
  return query;
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

/** A query of the conversations within reach. `from` joins them with more. `byId`: the conditions name few of them. */
export function owned(
  app: Store,
  owner: ConversationReach,
  { from, byId = false }: { from?: Knex.Raw | undefined; byId?: boolean } = {},
) {
  const query: Knex.QueryBuilder = app.db.read.from(from ?? 'conversations');
  if (owner.userId === 'anyone') {
    // Keeps SQLite from reading all conversations of the organization instead of those few.
    const unindexed = byId ? app.db.dialect.unindexed : '';
    return query.whereRaw(`${unindexed}conversations.organization_id = ?`, [owner.organizationId]);
  }
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
