import type { ReplyCounts } from '../conversations/store/counted.repository.js';
import { bucketMs } from '../conversations/store/time-buckets.js';
import type { CountedPart, TimeCounts } from './count-day.js';

/** How long replies took, in milliseconds with two digits. */
export interface Speed {
  /** The replies whose time is known. */
  replies: number;
  median: number;
  p95: number;
}

/** The counts of an app, a channel, a language, a mode or a day. */
export interface Figures extends ReplyCounts {
  settled: number;
  handedOver: number;
  /** Units of models; undefined for a day, a language and a mode, for which usage is not stored. */
  units?: number;
  /** Undefined when the time of no reply is known. */
  firstWord: Speed | undefined;
  lastWord: Speed | undefined;
}

const added = [
  'questions',
  'answered',
  'unsupported',
  'up',
  'down',
  'conversations',
  'settled',
  'handedOver',
] as const;

/** Adds up parts of days. */
export class Sum {
  readonly #counts = Object.fromEntries(added.map((name) => [name, 0])) as Record<
    (typeof added)[number],
    number
  >;
  readonly #times = { firstWords: [] as number[], lastWords: [] as number[] };
  #units: number | undefined;
  readonly waits: number[] = [];

  /** Conversations that ended at `over` or before are settled. */
  add(part: CountedPart, over: string): void {
    for (const name of added) this.#counts[name] += part[name];
    for (const one of part.ended) if (one <= over) this.#counts.settled += 1;
    for (const wait of part.waits) this.waits.push(wait);
    addTimes(this.#times.firstWords, part.firstWords);
    addTimes(this.#times.lastWords, part.lastWords);
  }

  addUnits(units: number): void {
    this.#units = (this.#units ?? 0) + units;
  }

  figures(): Figures {
    return {
      ...this.#counts,
      ...(this.#units === undefined ? {} : { units: this.#units }),
      firstWord: speedOf(this.#times.firstWords),
      lastWord: speedOf(this.#times.lastWords),
    };
  }
}

function addTimes(to: number[], counts: TimeCounts): void {
  for (let at = 0; at < counts.length; at += 2) {
    const bucket = counts[at] ?? 0;
    to[bucket] = (to[bucket] ?? 0) + (counts[at + 1] ?? 0);
  }
}

/** `numbers[bucket]` is the number of replies that took that long; undefined means none. */
function speedOf(numbers: readonly (number | undefined)[]): Speed | undefined {
  const replies = numbers.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  if (replies === 0) return undefined;
  const ranked = (share: number) => {
    let left = Math.ceil(replies * share);
    return bucketMs(numbers.findIndex((one) => (left -= one ?? 0) <= 0));
  };
  return { replies, median: ranked(0.5), p95: ranked(0.95) };
}

export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined || sorted.length % 2 === 1) return upper;
  return ((sorted[middle - 1] ?? upper) + upper) / 2;
}
