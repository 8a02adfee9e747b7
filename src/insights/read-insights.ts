import {
  countConversations,
  countedConversations,
  countReplies,
  type CountedReplies,
  type ReplyCounts,
} from '../conversations/store/counted.repository.js';
import type { Language } from '../language/language-pack.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { allOf } from '../platform/db/select-page.js';
import { handedConversations, waitsOf } from '../requests/requests.repository.js';
import type { Channel } from '../usage/payer.js';
import { listUsageBy } from '../usage/usage.repository.js';
import { counting } from './counting.js';
import { readSpan, requireCounter, type Span, type SpanInput } from './span.js';

/** What is counted of an app, a channel, a language or a day. */
export interface Figures extends ReplyCounts {
  /** Undefined where a conversation can belong to several: of a day, and of a language. */
  conversations?: number;
  settled?: number;
  handedOver?: number;
  /** Units of the model; undefined where use is not kept: of a day, and of a language. */
  units?: number;
}

export interface Insights extends Span {
  total: Required<Omit<Figures, 'units'>> & {
    /** Undefined for one language. */
    units: number | undefined;
    /** The median time to the answer of a person, in milliseconds; undefined before the first one. */
    medianWaitMs: number | undefined;
  };
  /** Every day of the span. */
  byDay: ({ day: string } & Figures)[];
  byApp: ({ appId: number | null } & Figures)[];
  byChannel: ({ channel: Channel } & Figures)[];
  byLanguage: ({ language: Language } & Figures)[];
}

/**
 * Counts the questions of people, and how they ended, from the stored rows, without those of the command line. For
 * staff. Refuses as readSpan and requireCounter do, and with `rate_limited` when too many of the organization wait.
 */
export async function readInsights(app: App, actor: Actor, input: SpanInput): Promise<Insights> {
  const { organizationId } = await requireCounter(app, actor, input);
  const span = await readSpan(app, organizationId, input);
  return counting.run(() => count(app, organizationId, span, input), String(organizationId));
}

async function count(
  app: App,
  organizationId: number,
  span: Span,
  input: SpanInput,
): Promise<Insights> {
  const { appId, channel, language } = input;
  const filter = { organizationId, days: span.days, appId, channel, language };
  const handed = handedConversations(app, organizationId);
  const replies = await countReplies(app, filter);
  const ended = await countConversations(app, filter, { handed, now: app.clock.now() });
  const used = language === undefined ? await readUse(app, organizationId, span, input) : undefined;
  const waits = await waitsOf(app, countedConversations(app, filter));
  const rows: Part[] = [...replies, ...ended, ...(used ?? [])];
  const whole = sumOf(rows);
  return {
    ...span,
    total: {
      ...{ ...noReplies, conversations: 0, settled: 0, handedOver: 0, ...whole },
      units: used === undefined ? undefined : (whole.units ?? 0),
      medianWaitMs: median(waits),
    },
    byDay: daily(span, replies),
    byApp: grouped(rows, 'appId'),
    byChannel: grouped(rows, 'channel'),
    byLanguage: grouped(replies, 'language'),
  };
}

type Part = Partial<Figures> & { appId: number | null; channel: Channel };

const noReplies: ReplyCounts = { questions: 0, answered: 0, unsupported: 0, up: 0, down: 0 };
const summed = [
  ...['questions', 'answered', 'unsupported', 'up', 'down'],
  ...['conversations', 'settled', 'handedOver', 'units'],
] as (keyof Figures)[];

function sumOf(rows: readonly Partial<Figures>[]): Figures {
  const sum: Figures = { ...noReplies };
  for (const row of rows) {
    for (const name of summed) {
      const value = row[name];
      if (value !== undefined) sum[name] = (sum[name] ?? 0) + value;
    }
  }
  return sum;
}

/** The sums by one field, the most questions first. */
function grouped<K extends string, R extends Partial<Figures> & Record<K, unknown>>(
  rows: readonly R[],
  by: K,
): (Pick<R, K> & Figures)[] {
  const groups = new Map<R[K], R[]>();
  for (const row of rows) {
    const own = groups.get(row[by]);
    if (own === undefined) groups.set(row[by], [row]);
    else own.push(row);
  }
  return [...groups]
    .map(([key, own]) => ({ ...({ [by]: key } as Pick<R, K>), ...sumOf(own) }))
    .sort((a, b) => b.questions - a.questions);
}

function daily({ days }: Span, rows: readonly CountedReplies[]): Insights['byDay'] {
  const byDay = new Map(grouped(rows, 'day').map((one) => [one.day, one]));
  return days.map(({ day }) => byDay.get(day) ?? { day, ...noReplies });
}

/** Use of models in the span. Details older than their retention stand at the beginning of their day in UTC. */
async function readUse(
  app: App,
  organizationId: number,
  { days }: Span,
  { appId, channel }: SpanInput,
): Promise<Part[]> {
  const next = days.at(-1)?.next ?? '';
  const last = new Date(Date.parse(next) - 1).toISOString();
  const filter = { organizationId, appId, channel, first: days[0]?.first, last };
  const { items } = await listUsageBy(app, filter, ['app', 'channel'], allOf);
  return items.flatMap(({ appId = null, channel = 'api', units }) =>
    channel === 'cli' || channel === 'try' ? [] : [{ appId, channel, units }],
  );
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined || sorted.length % 2 === 1) return upper;
  return ((sorted[middle - 1] ?? upper) + upper) / 2;
}
