import type { Knex } from 'knex';
import type { AnswerMode } from '../../answers/answer.js';
import type { Language } from '../../language/language-pack.js';
import type { WithDb } from '../../platform/app.js';
import { dayMs } from '../../platform/clock.js';
import type { CountedTimes } from '../../platform/figures/counted-days.repository.js';
import type { Channel } from '../../usage/payer.js';
import { bucketSql } from './time-buckets.js';

/** The properties by which figures are counted separately. */
export interface CountedKey {
  appId: number | null;
  channel: Channel;
  language: Language;
  mode: AnswerMode;
}

/** Numbers of replies to questions; small talk is neither. */
export interface ReplyCounts {
  questions: number;
  answered: number;
  /** With a sentence that no cited source bears out. */
  unsupported: number;
  up: number;
  down: number;
  /** Those whose first reply it is. */
  conversations: number;
}

export interface CountedReplies extends CountedKey, ReplyCounts {
  /**
   * When the last message came to each of the conversations that ended without a person. They count as settled a while
   * later.
   */
  ended: string[];
}

/** A condition in SQL. */
interface Condition {
  sql: string;
  bindings: readonly (string | number)[];
}

/** Its conditions are those of the index messages_counted, word by word. */
const isReply = "messages.role = 'assistant' and messages.found is not null";
export const isUnsupported = "(messages.unsupported <> '[]')";
/** A conversation counts where its first reply to a question counts. */
export const isFirstReply = `(not exists (select 1 from messages as earlier
  where earlier.conversation_id = messages.conversation_id and earlier.found is not null
    and earlier.id < messages.id))`;
/** A conversation counts as settled this long after its last message. */
export const settledMs = dayMs;

/**
 * The replies to questions of some times. The command line is the operator's own, so figures leave it out. SQLite would
 * begin with all conversations of the organization.
 */
const replied = ({ db: { dialect } }: WithDb) => `messages
  ${dialect.joinInOrder} conversations on conversations.id = messages.conversation_id
  where ${isReply} and messages.created_at >= ? and messages.created_at < ?
    and conversations.organization_id = ? and conversations.channel <> 'cli'`;
const keys = `conversations.app_id as "appId", conversations.channel, messages.language, messages.mode`;
const bound = (organizationId: number, { first, next }: CountedTimes) =>
  [first, next, organizationId] as const;

/** The replies to questions. `handed` is a query of the ids of conversations that were handed over to a person. */
export async function countReplies(
  app: WithDb,
  organizationId: number,
  times: CountedTimes,
  handed: Knex.QueryBuilder,
): Promise<CountedReplies[]> {
  const ends = endsAlone(handed);
  const rows = await app.db.read.raw<(Omit<CountedReplies, 'ended'> & { ended: string | null })[]>(
    `with replied as materialized (
       select ${keys}, messages.found, ${isUnsupported} as unsupported, conversations.updated_at,
         (select rating from message_feedback where message_id = messages.id) as rating,
         ${isFirstReply} as is_first,
         case when ${isFirstReply} then ${ends.sql} else false end as ends_alone
       from ${replied(app)})
     select "appId", channel, language, mode, count(*) as questions,
       count(*) filter (where found) as answered, count(*) filter (where unsupported) as unsupported,
       count(*) filter (where rating = 'up') as up, count(*) filter (where rating = 'down') as down,
       count(*) filter (where is_first) as conversations,
       string_agg(updated_at, ' ') filter (where ends_alone) as ended
     from replied group by 1, 2, 3, 4`,
    [...ends.bindings, ...bound(organizationId, times)],
  );
  return rows.map((row) => ({ ...row, ended: row.ended?.split(' ') ?? [] }));
}

export interface CountedTimeBucket extends CountedKey {
  bucket: number;
  count: number;
}

/** How long replies took to their first or to their last word, where that is known: see bucketMs. */
export async function countTimes(
  app: WithDb,
  organizationId: number,
  times: CountedTimes,
  word: 'first' | 'last',
): Promise<CountedTimeBucket[]> {
  const column = word === 'first' ? 'messages.first_word_ms' : 'messages.total_ms';
  return app.db.read.raw<CountedTimeBucket[]>(
    `select ${keys}, ${bucketSql(column)} as bucket, count(*) as count
     from ${replied(app)} and ${column} is not null group by 1, 2, 3, 4, 5`,
    [...bound(organizationId, times)],
  );
}

/** The conversations that were handed over, where their first reply counts. */
export async function listHandedOver(
  app: WithDb,
  organizationId: number,
  times: CountedTimes,
  handed: Knex.QueryBuilder,
): Promise<(CountedKey & { conversationId: string })[]> {
  const over = isHandedOver(handed);
  return app.db.read.raw<(CountedKey & { conversationId: string })[]>(
    `select ${keys}, conversations.id as "conversationId" from ${replied(app)} and ${isFirstReply} and ${over.sql}`,
    [...bound(organizationId, times), ...over.bindings],
  );
}

export interface Handed {
  /** A query of the ids of conversations that were handed over to a person. */
  handed: Knex.QueryBuilder;
  now: Date;
}

/** A condition on a conversation: it ended without a person, a day ago or earlier. */
export function isSettled({ handed, now }: Handed): Condition {
  const alone = endsAlone(handed);
  const over = new Date(now.getTime() - settledMs).toISOString();
  return {
    sql: `(conversations.updated_at <= ? and ${alone.sql})`,
    bindings: [over, ...alone.bindings],
  };
}

/** A condition on a conversation: answered, not handed over, and the last reply not disliked. */
function endsAlone(handed: Knex.QueryBuilder): Condition {
  const over = isHandedOver(handed);
  return {
    sql: `(not ${over.sql}
      and exists (select 1 from messages as reply
        where reply.conversation_id = conversations.id and reply.found = true)
      and not exists (select 1 from message_feedback where rating = 'down' and message_id =
        (select max(reply.id) from messages as reply
          where reply.conversation_id = conversations.id and reply.role = 'assistant')))`,
    bindings: over.bindings,
  };
}

export function isHandedOver(handed: Knex.QueryBuilder): Condition {
  const { sql, bindings } = handed.toSQL();
  // For "in", SQLite would collect all of them first.
  const one = `select 1 from (${sql}) as handed where handed.conversation_id = conversations.id`;
  return { sql: `(exists (${one}))`, bindings: bindings as string[] };
}
