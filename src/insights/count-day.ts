import {
  countReplies,
  countTimes,
  listHandedOver,
  settledMs,
  type CountedKey,
  type CountedReplies,
  type CountedTimes,
} from '../conversations/store/counted.repository.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { allOf } from '../platform/db/select-page.js';
import type { ZoneDay } from '../platform/time-zone.js';
import { giveTurns } from '../platform/workers/give-turns.js';
import { handedConversations, waitsOf } from '../requests/requests.repository.js';
import type { Channel } from '../usage/payer.js';
import { listUsageBy } from '../usage/usage.repository.js';
import { findCountedDays, storeCountedDay } from './counted-days.repository.js';

/** Numbers by bucket of a time: bucket, number, bucket, number, … */
export type TimeCounts = number[];

/**
 * What is counted of the replies of one day that have an app, a channel, a language and a mode in common. `ended` holds
 * the conversations that are not settled yet.
 */
export interface CountedPart extends CountedReplies {
  settled: number;
  handedOver: number;
  /** How long the conversations handed over waited for each answer of a person, in milliseconds. */
  waits: number[];
  firstWords: TimeCounts;
  lastWords: TimeCounts;
}

export interface CountedUse {
  appId: number | null;
  channel: Channel;
  units: number;
}

export interface CountedDay {
  parts: CountedPart[];
  used: CountedUse[];
}

/**
 * The counts of each day. A day that is over is counted once and kept until something that it counts changes; today is
 * counted each time.
 */
export async function* countDays(
  app: App,
  organizationId: number,
  days: readonly ZoneDay[],
): AsyncGenerator<{ day: ZoneDay; counted: CountedDay }> {
  const [first, next] = [days[0]?.first ?? '', days.at(-1)?.next ?? ''];
  const kept = new Map<string, string>();
  for (const one of await findCountedDays(app, organizationId, { first, next })) {
    kept.set(keyOf(one), one.counts);
  }
  const now = timestamp(app.clock);
  const giveTurn = giveTurns();
  for (const day of days) {
    if (day.first > now || day.first === day.next) continue;
    const counts = kept.get(keyOf(day));
    const counted =
      counts !== undefined
        ? (JSON.parse(counts) as CountedDay)
        : day.next > now
          ? await countDay(app, organizationId, day)
          : await keepDay(app, organizationId, day);
    yield { day, counted };
    await giveTurn();
  }
}

/** Conversations whose last message is no later count as settled. */
export const settledBefore = (app: App) => timestamp(app.clock, -settledMs);

const keyOf = ({ first, next }: CountedTimes) => `${first} ${next}`;

async function keepDay(app: App, organizationId: number, day: ZoneDay): Promise<CountedDay> {
  return inTransaction(app, async (app) => {
    const counted = await countDay(app, organizationId, day);
    // Counted again once all of them are settled: then their times are not needed any more.
    const last = counted.parts
      .flatMap(({ ended }) => ended)
      .sort()
      .at(-1);
    const until = last === undefined ? null : new Date(Date.parse(last) + settledMs).toISOString();
    await storeCountedDay(app, organizationId, day, JSON.stringify(counted), until);
    return counted;
  });
}

async function countDay(app: App, organizationId: number, day: ZoneDay): Promise<CountedDay> {
  const handed = handedConversations(app, organizationId);
  const parts = new Map<string, CountedPart>();
  const over = settledBefore(app);
  for (const replies of await countReplies(app, organizationId, day, handed)) {
    const ended = replies.ended.filter((one) => one > over);
    const settled = replies.ended.length - ended.length;
    const none = { handedOver: 0, waits: [], firstWords: [], lastWords: [] };
    parts.set(nameOf(replies), { ...replies, ...none, ended, settled });
  }
  for (const word of ['first', 'last'] as const) {
    for (const { bucket, count, ...key } of await countTimes(app, organizationId, day, word)) {
      parts.get(nameOf(key))?.[`${word}Words`].push(bucket, count);
    }
  }
  const partOf = new Map<string, CountedPart>();
  for (const { conversationId, ...key } of await listHandedOver(app, organizationId, day, handed)) {
    const part = parts.get(nameOf(key));
    if (part === undefined) continue;
    part.handedOver += 1;
    partOf.set(conversationId, part);
  }
  for (const { conversationId, waitMs } of await waitsOf(app, [...partOf.keys()])) {
    partOf.get(conversationId)?.waits.push(waitMs);
  }
  return { parts: [...parts.values()], used: await readUse(app, organizationId, day) };
}

const nameOf = ({ appId, channel, language, mode }: CountedKey) =>
  `${appId} ${channel} ${language} ${mode}`;

/** Use of models. Details older than their retention stand at the beginning of their day in UTC. */
async function readUse(
  app: App,
  organizationId: number,
  { first, next }: CountedTimes,
): Promise<CountedUse[]> {
  const last = new Date(Date.parse(next) - 1).toISOString();
  const filter = { organizationId, first, last };
  const { items } = await listUsageBy(app, filter, ['app', 'channel'], allOf);
  return items.flatMap(({ appId = null, channel = 'api', units }) =>
    channel === 'cli' || channel === 'try' ? [] : [{ appId, channel, units }],
  );
}
