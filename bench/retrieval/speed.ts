import { percentile } from '../../src/evaluation/measures.js';
import { searchPassages } from '../../src/search/search-passages.js';
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
    const sampled = timed('the search again, those of the sample');
    const exhaustive = timed('every passage scored, sample');
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
    // It reads every passage, and so takes long: a sample of all, since it loses some that the search finds.
    const step = Math.ceil(questions.length / mostExhaustive);
    for (const { question, expected } of questions.filter((_, at) => at % step === 0)) {
      await time(sampled, expected, () => find(index, question, false));
      await time(exhaustive, expected, () => find(index, question, true));
    }
    return judge(index, [ours, raw, sampled, exhaustive]);
  } finally {
    await index.test.close();
  }
}

const warmUp = 30;
/** Questions for which every passage is scored. */
const mostExhaustive = 300;

function judge(index: LargeIndex, timings: [Timed, Timed, Timed, Timed]): Judged {
  const [ours, raw, sampled, exhaustive] = timings;
  const base = percentile(raw.times, 0.5) ?? 1;
  const rows: Row[] = timings.map(({ name, times, hits }) => ({
    what: name,
    'median ms': shown(percentile(times, 0.5)),
    'p95 ms': shown(percentile(times, 0.95)),
    'of raw': ((percentile(times, 0.5) ?? 0) / base).toFixed(2),
    'recall@1': (hits.first / times.length).toFixed(4),
    'recall@5': (hits.five / times.length).toFixed(4),
    questions: String(times.length),
  }));
  const median = percentile(ours.times, 0.5) ?? 0;
  const p95 = percentile(ours.times, 0.95) ?? 0;
  const lost = (exhaustive.hits.first - sampled.hits.first) / exhaustive.times.length;
  const lostOfFive = (exhaustive.hits.five - sampled.hits.five) / exhaustive.times.length;
  const built = index.builtIn === undefined ? 'kept' : `built in ${index.builtIn.toFixed(0)} s`;
  const measure: Measure = {
    name: 'speed',
    about: `questions put to ${index.passages} passages (${built}), one after the other; bars: median ${bars.median} ms, p95 ${bars.p95} ms, recall at most ${bars.lost} below that of scoring every passage, for the same questions`,
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
  return { name, times: [], hits: { first: 0, five: 0 } };
}

async function time(
  into: Timed,
  expected: number | undefined,
  search: () => Promise<number[]>,
): Promise<void> {
  const started = performance.now();
  const found = await search();
  into.times.push(performance.now() - started);
  const rank = expected === undefined ? -1 : [...new Set(found)].indexOf(expected);
  if (rank === 0) into.hits.first++;
  if (rank >= 0 && rank < 5) into.hits.five++;
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
