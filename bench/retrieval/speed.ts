import { percentile } from '../../src/evaluation/measures.js';
import { searchPassages } from '../../src/retrieval/search-passages.js';
import type { Measure, Row } from '../measure.js';
import { openLargeIndex, type LargeIndex } from './large-index.js';
import type { Judged } from './quality.js';
import type { QuestionSet } from './question-sets.js';
import { searchRaw } from './raw-search.js';

/** Milliseconds of a search, and how much recall its shortcuts may cost. */
const bars = { median: 10, p95: 30, lost: 0.005 };
/** Passages that a search answers, as many as an answer is made of. */
const limit = 20;

export interface SpeedOptions {
  size: number;
  /** Each how manieth question is put: 1 for all. */
  every: number;
  keep: string | undefined;
}

interface Timed {
  name: string;
  times: number[];
  /** Of the expected entry, from 0, question by question; Infinity where it was not found. */
  ranks: number[];
  hits: { first: number; five: number };
}

/** Searches in a large index one after the other, beside the raw query of SQLite in the same run. */
export async function measureSearchSpeed(
  sets: readonly QuestionSet[],
  samples: ReadonlyMap<string, string>,
  { size, every, keep }: SpeedOptions,
): Promise<Judged> {
  const index = await openLargeIndex(sets, samples, size, keep);
  try {
    const questions = sets.flatMap((set) =>
      set.questions
        .filter((_, position) => position % every === 0)
        .map(({ question, passageId }) => ({
          question,
          expected: index.entryIdOf(set.language, passageId),
        })),
    );
    const ours = timed('search');
    const raw = timed('raw FTS5 query');
    const exhaustive = timed('exhaustive, where that missed');
    // The first searches warm the database's cache, as a server's has been.
    for (const { question } of questions.slice(0, warmUp)) {
      await find(index, question, false);
      await findRaw(index, question);
    }
    // Side by side, so that other work on the machine slows them alike.
    for (const { question, expected } of questions) {
      await time(ours, expected, () => find(index, question, false));
      await time(raw, expected, () => findRaw(index, question));
    }
    // It reads every passage: only where it may find what the search has not.
    exhaustive.hits = { ...ours.hits };
    for (const [position, { question, expected }] of questions.entries()) {
      const rank = ours.ranks[position] ?? Infinity;
      if (rank > 0) await time(exhaustive, expected, () => find(index, question, true), rank);
    }
    return judge(index, questions.length, [ours, raw, exhaustive]);
  } finally {
    await index.test.close();
  }
}

const warmUp = 30;

function judge(index: LargeIndex, questions: number, timings: Timed[]): Judged {
  const [ours, raw, exhaustive] = timings;
  if (ours === undefined || raw === undefined || exhaustive === undefined) throw new Error('none');
  const base = percentile(raw.times, 0.5) ?? 1;
  const rows: Row[] = timings.map(({ name, times, hits }) => ({
    what: name,
    'median ms': shown(percentile(times, 0.5)),
    'p95 ms': shown(percentile(times, 0.95)),
    'of raw': ((percentile(times, 0.5) ?? 0) / base).toFixed(2),
    'recall@1': (hits.first / questions).toFixed(4),
    'recall@5': (hits.five / questions).toFixed(4),
  }));
  const median = percentile(ours.times, 0.5) ?? 0;
  const p95 = percentile(ours.times, 0.95) ?? 0;
  const lost = (exhaustive.hits.first - ours.hits.first) / questions;
  const lostOfFive = (exhaustive.hits.five - ours.hits.five) / questions;
  const built = index.builtIn === undefined ? 'kept' : `built in ${index.builtIn.toFixed(0)} s`;
  const measure: Measure = {
    name: 'speed',
    about: `${questions} questions put to ${index.passages} passages (${built}), one after the other; bars: median ${bars.median} ms, p95 ${bars.p95} ms, recall at most ${bars.lost} below the exhaustive score (asked only where the search did not put the entry first, so that the loss is at most this)`,
    rows,
  };
  const missed = [
    ...(median > bars.median ? [`median ${shown(median)} ms, wanted ${bars.median}`] : []),
    ...(p95 > bars.p95 ? [`p95 ${shown(p95)} ms, wanted ${bars.p95}`] : []),
    ...(lost > bars.lost ? [`recall@1 is ${lost.toFixed(4)} below the exhaustive score`] : []),
    ...(lostOfFive > bars.lost
      ? [`recall@5 is ${lostOfFive.toFixed(4)} below the exhaustive score`]
      : []),
  ];
  return { measures: [measure], missed: missed.map((one) => `speed: ${one}`), details: [] };
}

function timed(name: string): Timed {
  return { name, times: [], ranks: [], hits: { first: 0, five: 0 } };
}

/** `counted` is the rank that is among the hits already. */
async function time(
  into: Timed,
  expected: number | undefined,
  search: () => Promise<number[]>,
  counted = Infinity,
): Promise<void> {
  const started = performance.now();
  const found = await search();
  into.times.push(performance.now() - started);
  const place = expected === undefined ? -1 : [...new Set(found)].indexOf(expected);
  const rank = place === -1 ? Infinity : place;
  into.ranks.push(rank);
  if (rank < 1 && counted >= 1) into.hits.first++;
  if (rank < 5 && counted >= 5) into.hits.five++;
}

async function find(
  { test, organizationId }: LargeIndex,
  text: string,
  exhaustive: boolean,
): Promise<number[]> {
  const scope = { organizationId, appId: undefined, tiers: ['public' as const] };
  const input = { text, scope, place: undefined, limit, exhaustive };
  const { passages } = await searchPassages(
    test.app,
    exhaustive ? { ...input, exhaustive } : input,
  );
  return passages.map(({ entryId }) => entryId);
}

/** The raw query finds passages: whose they are costs no time of its own. */
async function findRaw({ test, entryOfPassage }: LargeIndex, text: string): Promise<number[]> {
  const found = await searchRaw(test.app, text, limit);
  return found.map((id) => entryOfPassage.get(id) ?? 0);
}

function shown(ms: number | null): string {
  return ms === null ? '' : ms.toFixed(1);
}
