import type { Knex } from 'knex';
import type { Store } from '../../platform/app.js';
import {
  countUpTo,
  keyOf,
  keyParts,
  type Keyed,
  type KeyPage,
} from '../../platform/db/select-page.js';
import { conversations, type Conversation } from './conversation.js';
import type { ConversationFilter } from './conversation-filter.repository.js';
import { matching, messagesWith, type ConversationReach } from './conversations.repository.js';

/** A search for conversations: those that fit a filter with words. */
interface Search {
  owner: ConversationReach;
  filter: ConversationFilter;
  words: string;
}

/** The most messages that are read at once. */
const mostRows = 2000;

/** Conversations of a list, and how many there are. */
export interface ListedConversations extends Keyed<Conversation> {
  total: number;
  /** True when older messages with the words were not looked at: there may be more conversations. */
  isPart: boolean;
}

/**
 * The first page of walkByWords, with a total up to `most`. It looks at no more than so many messages with the words,
 * whatever the filter, so that its time has a bound. `next` goes on where it stopped.
 */
export async function latestByWords(
  app: Store,
  search: Search,
  { limit, most, mostLookedAt }: { limit: number; most: number; mostLookedAt: number },
): Promise<ListedConversations> {
  const upTo = await latestMessage(app);
  const said = messagesWith(app, search.owner, search.words)
    .orderBy('message_id', 'desc')
    .limit(mostLookedAt);
  // Questions and answers often have the same words.
  const mostRead = 2 * most;
  const rows: (Hit & { looked: number })[] = await fromMessages(app, search, app.db.read('latest'))
    // Kept, so that the index is asked once.
    .withMaterialized('latest', said)
    .orderBy('said.message_id', 'desc')
    .limit(mostRead)
    .select('conversations.id', 'said.message_id')
    .select(app.db.read('latest').count('*').as('looked'));
  const seen = new Set<string>();
  const hits = rows.filter(({ id }) => seen.size < seen.add(id).size);
  const page = hits.slice(0, limit);
  const isCut = rows.length === mostRead;
  let isPart = isCut || rows[0]?.looked === mostLookedAt;
  let end = hits.length > limit ? page.at(-1)?.message_id : undefined;
  if (end === undefined && isCut) end = rows.at(-1)?.message_id;
  else if (end === undefined && (isPart || rows.length === 0)) {
    const looked = await extentOf(app, said);
    isPart = looked.count === mostLookedAt;
    if (isPart) end = looked.end;
  }
  return {
    items: await readInOrder(app, page),
    next: end === undefined ? undefined : keyOf(String(end), String(upTo)),
    total: Math.min(hits.length, most),
    isPart,
  };
}

/** How many messages a query finds, and the first of them. */
async function extentOf({ db }: Store, said: Knex.QueryBuilder) {
  const found = await db.read
    .from(said.as('said'))
    .count({ count: '*' })
    .min({ end: 'message_id' });
  return found[0] as { count: number; end: number };
}

/** A message with the words, and its conversation. */
interface Hit {
  id: string;
  message_id: number;
}

async function readInOrder(app: Store, hits: readonly Hit[]): Promise<Conversation[]> {
  const ids = hits.map(({ id }) => id);
  const found = await conversations.all(app.db.read('conversations').whereIn('id', ids));
  const byId = new Map(found.map((one) => [one.id, one]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * The next conversations with words, in the order of their latest message with them, the latest first: the index finds
 * messages in this order, and sorting all that hold a frequent word would take too long.
 */
export async function walkByWords(
  app: Store,
  search: Search,
  { after, limit }: KeyPage,
): Promise<Keyed<Conversation>> {
  const [before, upTo] = keyParts(after)?.map(Number) ?? [];
  const from = { before, upTo: upTo ?? (await latestMessage(app)), limit: limit + 1 };
  const items: Conversation[] = [];
  let next: string | undefined;
  for await (const { conversation, said } of readByWords(app, search, from)) {
    if (items.length === limit) return { items, next };
    items.push(conversation);
    next = keyOf(String(said), String(from.upTo));
  }
  return { items, next: undefined };
}

/** How many conversations there are with words, counted up to `most`; without it, all. */
export function countByWords(
  app: Store,
  search: Search,
  most = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const found = fromMessages(app, search).distinct('conversations.id').limit(most);
  return countUpTo(app, app.db.read.from(found.as('found')), most);
}

/** A query of the messages with the words, or of those in `said`, each beside its conversation. */
function fromMessages(
  app: Store,
  { owner, filter, words }: Search,
  said: Knex.QueryBuilder = messagesWith(app, owner, words),
): Knex.QueryBuilder {
  // SQLite would begin with all conversations of the organization.
  const { joinInOrder } = app.db.dialect;
  const from = app.db.read.raw(
    `? as said ${joinInOrder} messages as held on held.id = said.message_id
     ${joinInOrder} conversations on conversations.id = held.conversation_id`,
    [said],
  );
  // Finding all that fit a rare filter first takes longer than looking at those with the words.
  return matching(app, owner, filter, { from, isEach: true });
}

/** Messages by their numbers: of those up to `upTo`, the ones before `before` are still to be read. */
interface Stretch {
  before: number | undefined;
  upTo: number;
  /** The conversations that are wanted. */
  limit: number;
}

/** Each conversation once, at its latest message with the words. What is written during a walk changes no order. */
async function* readByWords(
  app: Store,
  search: Search,
  { before, upTo, limit }: Stretch,
): AsyncGenerator<{ conversation: Conversation; said: number }> {
  const read = new Set<string>();
  for (let end = before ?? upTo + 1, rowsAtOnce = limit, more = true; more;) {
    // Questions and answers often have the same words.
    rowsAtOnce = Math.min(2 * rowsAtOnce, mostRows);
    const rows: { id: string; message_id: number }[] = await fromMessages(app, search)
      .where('said.message_id', '<', end)
      .orderBy('said.message_id', 'desc')
      .limit(rowsAtOnce)
      .select('conversations.*', 'said.message_id');
    const fresh = [...new Set(rows.map(({ id }) => id))].filter((id) => !read.has(id));
    if (before !== undefined) {
      for (const id of await readBefore(app, search, { ids: fresh, from: before, upTo }))
        read.add(id);
    }
    for (const row of rows) {
      if (read.has(row.id)) continue;
      read.add(row.id);
      yield { conversation: conversations.read(row), said: row.message_id };
    }
    end = rows.at(-1)?.message_id ?? end;
    more = rows.length === rowsAtOnce;
  }
}

/** Of some conversations, those with a later message with these words: an earlier page has them. */
async function readBefore(
  app: Store,
  { owner, words }: Search,
  part: { ids: string[]; from: number; upTo: number },
): Promise<string[]> {
  const from = app.db.read.raw(
    `messages ${app.db.dialect.joinInOrder} ? as said on said.message_id = messages.id`,
    [messagesWith(app, owner, words)],
  );
  const ids: string[] = await app.db.read
    .from(from)
    .whereIn('messages.conversation_id', part.ids)
    .whereBetween('messages.id', [part.from, part.upTo])
    .distinct()
    .pluck('messages.conversation_id');
  return ids;
}

async function latestMessage({ db }: Store): Promise<number> {
  const [row] = await db.read('messages').max<{ id: number | null }[]>({ id: 'id' });
  return row?.id ?? 0;
}
