import type { Knex } from 'knex';
import type { Language } from '../../language/language-pack.js';
import type { App } from '../../platform/app.js';
import type { ZoneDay } from '../../platform/time-zone.js';
import type { Channel } from '../../usage/payer.js';

type Store = Pick<App, 'db'>;

/** Whose replies are counted. The command line is the operator's own, so figures leave it out. */
export interface CountedFilter {
  organizationId: number;
  /** In order, without a gap. */
  days: readonly ZoneDay[];
  appId?: number | undefined;
  channel?: Channel | undefined;
  language?: Language | undefined;
}

/** Numbers of replies to questions; small talk is neither. */
export interface ReplyCounts {
  questions: number;
  answered: number;
  /** With a sentence that no cited source bears out. */
  unsupported: number;
  up: number;
  down: number;
}

export interface CountedReplies extends ReplyCounts {
  day: string;
  appId: number | null;
  channel: Channel;
  language: Language;
}

export interface CountedConversations {
  appId: number | null;
  channel: Channel;
  conversations: number;
  settled: number;
  handedOver: number;
}

/** Its conditions are those of the index messages_counted, word by word. */
const isReply = "messages.role = 'assistant' and messages.found is not null";
export const isUnsupported = "(messages.unsupported <> '[]')";
/** A conversation counts as settled this long after its last message. */
const settledMs = 86_400_000;

/** A condition in SQL. */
interface Condition {
  sql: string;
  bindings: readonly (string | number)[];
}

/** The replies to questions, counted from their rows by day, app, channel and language. */
export async function countReplies(app: Store, filter: CountedFilter): Promise<CountedReplies[]> {
  const days = JSON.stringify(filter.days.map(({ first, next }) => [first, next]));
  const where = allOf(ofConversation(filter), ofLanguage(filter));
  // Cross joins keep SQLite to this order: it would begin with all conversations of the organization.
  const rows = await app.db.read.raw<CountedRow[]>(
    `select days.key as day, conversations.app_id as appId, conversations.channel,
       messages.language, count(*) as questions, sum(messages.found) as answered,
       sum(${isUnsupported}) as unsupported,
       sum(coalesce(message_feedback.rating = 'up', 0)) as up,
       sum(coalesce(message_feedback.rating = 'down', 0)) as down
     from json_each(?) as days
     cross join messages on messages.created_at >= json_extract(days.value, '$[0]')
       and messages.created_at < json_extract(days.value, '$[1]')
     cross join conversations on conversations.id = messages.conversation_id
     left join message_feedback on message_feedback.message_id = messages.id
     where ${isReply} and ${where.sql}
     group by 1, 2, 3, 4`,
    [days, ...where.bindings],
  );
  return rows.map((row) => ({ ...row, day: filter.days[row.day]?.day ?? '' }));
}

type CountedRow = Omit<CountedReplies, 'day'> & { day: number };

/**
 * The conversations with a reply in the days, by app and channel: how many, how many of them ended without a person, and
 * how many were handed over. `handed` is a query of the ids of conversations that were handed over.
 */
export async function countConversations(
  app: Store,
  filter: CountedFilter,
  { handed, now }: Handed,
): Promise<CountedConversations[]> {
  const settled = isSettled({ handed, now });
  const handedOver = isHandedOver(handed);
  const replied = allOf(inSpan(filter.days), ofLanguage(filter));
  const where = ofConversation(filter);
  return app.db.read.raw<CountedConversations[]>(
    `select conversations.app_id as appId, conversations.channel, count(*) as conversations,
       sum(${settled.sql}) as settled, sum(${handedOver.sql}) as handedOver
     from (select distinct conversation_id from messages where ${isReply} and ${replied.sql}) as replied
     cross join conversations on conversations.id = replied.conversation_id
     where ${where.sql}
     group by 1, 2`,
    [settled, handedOver, replied, where].flatMap(({ bindings }) => bindings),
  );
}

export interface Handed {
  /** A query of the ids of conversations that were handed over to a person. */
  handed: Knex.QueryBuilder;
  now: Date;
}

/** A query of the ids of the conversations that countConversations counts. */
export function countedConversations(app: Store, filter: CountedFilter): Knex.QueryBuilder {
  const replied = allOf(inSpan(filter.days), ofLanguage(filter));
  const where = ofConversation(filter);
  return app.db
    .read('messages')
    .joinRaw('cross join conversations on conversations.id = messages.conversation_id')
    .whereRaw(`${isReply} and ${replied.sql} and ${where.sql}`, [
      ...replied.bindings,
      ...where.bindings,
    ])
    .select('conversations.id');
}

/** A condition on a conversation: answered, not handed over, the last reply not disliked, and over for a day. */
export function isSettled({ handed, now }: Handed): Condition {
  const open = isHandedOver(handed);
  const over = new Date(now.getTime() - settledMs).toISOString();
  return {
    sql: `(conversations.updated_at <= ? and not ${open.sql}
      and exists (select 1 from messages as reply
        where reply.conversation_id = conversations.id and reply.found = 1)
      and not exists (select 1 from message_feedback where rating = 'down' and message_id =
        (select max(reply.id) from messages as reply
          where reply.conversation_id = conversations.id and reply.role = 'assistant')))`,
    bindings: [over, ...open.bindings],
  };
}

export function isHandedOver(handed: Knex.QueryBuilder): Condition {
  const { sql, bindings } = handed.toSQL().toNative();
  return { sql: `(conversations.id in (${sql}))`, bindings: bindings as string[] };
}

function ofConversation({ organizationId, appId, channel }: CountedFilter): Condition {
  const all = ["conversations.organization_id = ? and conversations.channel <> 'cli'"];
  const bindings: (string | number)[] = [organizationId];
  for (const [column, value] of Object.entries({ app_id: appId, channel })) {
    if (value === undefined) continue;
    all.push(`conversations.${column} = ?`);
    bindings.push(value);
  }
  return { sql: all.join(' and '), bindings };
}

function ofLanguage({ language }: CountedFilter): Condition {
  if (language === undefined) return { sql: '1 = 1', bindings: [] };
  return { sql: 'messages.language = ?', bindings: [language] };
}

function inSpan(days: readonly ZoneDay[]): Condition {
  const bindings = [days[0]?.first ?? '', days.at(-1)?.next ?? ''];
  return { sql: 'messages.created_at >= ? and messages.created_at < ?', bindings };
}

function allOf(...conditions: Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => sql).join(' and '),
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}
