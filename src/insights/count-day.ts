import {
  countReplies,
  countTimes,
  listHandedOver,
  settledMs,
  type CountedKey,
  type CountedReplies,
} from '../conversations/store/counted.repository.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { countDays, type Figures } from '../platform/figures/count-days.js';
import type { CountedTimes } from '../platform/figures/counted-days.repository.js';
import type { ZoneDay } from '../platform/time-zone.js';
import { handedConversations, waitsOf } from '../requests/requests.repository.js';
import type { Channel } from '../usage/payer.js';
import { sumUsageBy } from '../usage/usage.repository.js';

/** Numbers by bucket of a time: bucket, number, bucket, number, … */
export type TimeCounts = number[];

/**
 * The counts of the replies of one day that have an app, a channel, a language and a mode in common. `ended` holds
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

const answers: Figures<CountedDay> = { name: 'answers', count: countDay, until: untilSettled };

/** The counts of each day, in one or several pieces. */
export function countAnswers(app: App, organizationId: number, days: readonly ZoneDay[]) {
  return countDays(app, organizationId, days, answers);
}

/** Conversations whose last message is no later count as settled. */
export const settledBefore = (app: App) => timestamp(app.clock, -settledMs);

/** A day is counted again once all its conversations are settled: then their times are not needed any more. */
function untilSettled({ parts }: CountedDay): string | null {
  const last = parts
    .flatMap(({ ended }) => ended)
    .sort()
    .at(-1);
  return last === undefined ? null : new Date(Date.parse(last) + settledMs).toISOString();
}

async function countDay(app: App, organizationId: number, day: CountedTimes): Promise<CountedDay> {
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
  times: CountedTimes,
): Promise<CountedUse[]> {
  const sums = await sumUsageBy(app, organizationId, times, ['app', 'channel']);
  return sums.flatMap(({ appId = null, channel = 'api', units }) =>
    channel === 'cli' || channel === 'try' ? [] : [{ appId, channel, units }],
  );
}
