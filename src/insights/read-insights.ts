import type { AnswerMode } from '../answers/answer.js';
import type { Language } from '../language/language-pack.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Channel } from '../usage/payer.js';
import { countAnswers, settledBefore, type CountedDay } from './count-day.js';
import {
  daysBefore,
  readSpan,
  requireCounter,
  type Span,
  type SpanInput,
} from '../conversations/span.js';
import { median, Sum, type Figures } from './sum-figures.js';

export interface Total extends Figures {
  /** The median time to the answer of a person, in milliseconds; undefined before the first one. */
  medianWaitMs: number | undefined;
}

export interface Insights extends Span {
  total: Total;
  /** As many days before. */
  before: { from: string; to: string; total: Total };
  /** Every day of the span. */
  byDay: ({ day: string } & Figures)[];
  byApp: ({ appId: number | null } & Figures)[];
  byChannel: ({ channel: Channel } & Figures)[];
  byLanguage: ({ language: Language } & Figures)[];
  byMode: ({ mode: AnswerMode } & Figures)[];
}

/**
 * Counts the questions of people, and how they ended, without those of the command line. A conversation counts where its
 * first reply to a question counts. For staff. Refuses as readSpan and requireCounter do, and with `rate_limited` when
 * too many of the organization wait.
 */
export async function readInsights(app: App, actor: Actor, input: SpanInput): Promise<Insights> {
  const { organizationId } = await requireCounter(app, actor, input);
  const span = await readSpan(app, organizationId, input);
  return app.queues.figures.run(
    () => count(app, organizationId, span, input),
    String(organizationId),
  );
}

async function count(
  app: App,
  organizationId: number,
  span: Span,
  input: SpanInput,
): Promise<Insights> {
  const over = settledBefore(app);
  const total = new Sum();
  const byDay = new Sums<string>();
  const byApp = new Sums<number | null>();
  const byChannel = new Sums<Channel>();
  const byLanguage = new Sums<Language>();
  const byMode = new Sums<AnswerMode>();
  for await (const { day, counted } of countAnswers(app, organizationId, span.days)) {
    const { parts, used } = wanted(counted, input);
    for (const part of parts) {
      const { appId, channel, language, mode } = part;
      const sums = [total, byDay.of(day.day), byApp.of(appId), byChannel.of(channel)];
      for (const sum of [...sums, byLanguage.of(language), byMode.of(mode)]) sum.add(part, over);
    }
    for (const { appId, channel, units } of used) {
      for (const sum of [total, byApp.of(appId), byChannel.of(channel)]) sum.addUnits(units);
    }
  }
  if (input.language === undefined) total.addUnits(0);
  const before = daysBefore(span);
  return {
    ...span,
    total: totalOf(total),
    before: { ...before, total: await totalBefore(app, organizationId, before, input) },
    byDay: span.days.map(({ day }) => ({ day, ...byDay.of(day).figures() })),
    byApp: byApp.list((appId) => ({ appId })),
    byChannel: byChannel.list((channel) => ({ channel })),
    byLanguage: byLanguage.list((language) => ({ language })),
    byMode: byMode.list((mode) => ({ mode })),
  };
}

async function totalBefore(
  app: App,
  organizationId: number,
  { days }: Pick<Span, 'days'>,
  input: SpanInput,
): Promise<Total> {
  const over = settledBefore(app);
  const total = new Sum();
  for await (const { counted } of countAnswers(app, organizationId, days)) {
    const { parts, used } = wanted(counted, input);
    for (const part of parts) total.add(part, over);
    for (const { units } of used) total.addUnits(units);
  }
  if (input.language === undefined) total.addUnits(0);
  return totalOf(total);
}

const totalOf = (sum: Sum): Total => ({ ...sum.figures(), medianWaitMs: median(sum.waits) });

/** The part of a day that the caller wants. Usage is not stored by language. */
function wanted({ parts, used }: CountedDay, { appId, channel, language }: SpanInput): CountedDay {
  const isWanted = (one: { appId: number | null; channel: Channel }) =>
    (appId === undefined || one.appId === appId) &&
    (channel === undefined || one.channel === channel);
  return {
    parts: parts.filter(
      (one) => isWanted(one) && (language === undefined || one.language === language),
    ),
    used: language === undefined ? used.filter(isWanted) : [],
  };
}

/** A sum for each key. */
class Sums<K> {
  readonly #sums = new Map<K, Sum>();

  of(key: K): Sum {
    const known = this.#sums.get(key);
    if (known !== undefined) return known;
    const made = new Sum();
    this.#sums.set(key, made);
    return made;
  }

  /** The most questions first. */
  list<N extends object>(name: (key: K) => N): (N & Figures)[] {
    return [...this.#sums]
      .map(([key, sum]) => ({ ...name(key), ...sum.figures() }))
      .sort((a, b) => b.questions - a.questions);
  }
}
