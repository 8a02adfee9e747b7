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
import { isRare, type ConversationFilter } from './conversation-filter.repository.js';
import { matching, messagesWith, type ConversationReach } from './conversations.repository.js';

/** A search for conversations: those that fit a filter with words. */
interface Search {
  owner: ConversationReach;
  filter: ConversationFilter;
  words: string;
}

/** The most messages that are read at once. */
const mostRows = 2000;

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

/** A query of the messages with the words, each beside its conversation. */
function fromMessages(app: Store, { owner, filter, words }: Search): Knex.QueryBuilder {
  // Cross joins keep SQLite to this order: it would begin with all conversations of the organization.
  const from = app.db.read.raw(
    `? as said cross join messages as held on held.id = said.message_id
     cross join conversations on conversations.id = held.conversation_id`,
    [messagesWith(app, owner, words)],
  );
  if (!isRare(filter)) return matching(app, owner, filter, { from });
  // The index finds all messages with a frequent word, but the conversation of each would take ten times as long.
  const few = matching(app, owner, filter).select('conversations.id');
  const messages = app.db.read('messages').whereIn('conversation_id', few).select('messages.id');
  // The plus keeps SQLite from asking the index for each of them.
  return matching(app, owner, {}, { from }).whereRaw('+said.message_id in ?', [messages]);
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
  const from = app.db.read.raw('messages cross join ? as said on said.message_id = messages.id', [
    messagesWith(app, owner, words),
  ]);
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
