import type { QuestionResult } from './eval-question.js';

/** Shares are 0 to 1, times in milliseconds; null where no question of the set could show it. */
export interface Measures {
  questions: number;
  /** Share of the questions with an expected entry that found one first, or among the first five. */
  recall1: number | null;
  recall5: number | null;
  /** Mean of 1 / rank, 0 beyond the tenth (Voorhees 1999). */
  mrr10: number | null;
  /** Share of the questions with expected answers whose response holds one. */
  answered: number | null;
  /** Share of the answers given whose citations are right. */
  citations: number | null;
  /** Share of the answerable questions that were refused. */
  wrongRefusals: number | null;
  /** Share of the unanswerable questions that were refused. */
  rightRefusals: number | null;
  searchMedianMs: number | null;
  searchP95Ms: number | null;
  answerMedianMs: number | null;
  answerP95Ms: number | null;
  /** Questions that ended in an error. They count as not found and not answered. */
  failed: number;
}

/** The measures of some results, and for each language of theirs. */
export function measureAll(results: readonly QuestionResult[]): {
  all: Measures;
  languages: Record<string, Measures>;
} {
  const languages = [...new Set(results.map((result) => result.language))].sort();
  const parts = languages.map((language) => {
    const own = results.filter((result) => result.language === language);
    return [language, measure(own)] as const;
  });
  return { all: measure(results), languages: Object.fromEntries(parts) };
}

export function measure(results: readonly QuestionResult[]): Measures {
  const answerable = results.filter(({ question }) => !question.unanswerable);
  const placed = answerable.filter(({ question }) => question.expected.length > 0);
  // Where answers were not asked for, there are no times of them either.
  const asked = results.filter((result) => result.answerMs !== undefined);
  const replied = asked.filter(({ reply }) => reply !== undefined);
  const wordings = asked.filter(({ question: { answers, unanswerable } }) => {
    return answers.length > 0 && !unanswerable;
  });
  const cited = replied.filter(({ reply }) => reply?.citesRightly !== undefined);
  const isRefused = ({ reply }: QuestionResult) => reply?.refused === true;
  const searches = results.filter(({ error }) => error === undefined);
  return {
    questions: results.length,
    recall1: share(placed, ({ rank }) => rank !== null && rank <= 1),
    recall5: share(placed, ({ rank }) => rank !== null && rank <= 5),
    mrr10: mean(placed.map(({ rank }) => (rank !== null && rank <= 10 ? 1 / rank : 0))),
    answered: share(wordings, ({ reply }) => reply?.holdsAnswer === true),
    citations: share(cited, ({ reply }) => reply?.citesRightly === true),
    wrongRefusals: share(
      replied.filter(({ question }) => !question.unanswerable),
      isRefused,
    ),
    rightRefusals: share(
      asked.filter(({ question }) => question.unanswerable),
      isRefused,
    ),
    ...timesOf(
      'search',
      searches.map(({ searchMs }) => searchMs),
    ),
    ...timesOf(
      'answer',
      replied.flatMap(({ answerMs }) => answerMs ?? []),
    ),
    failed: results.filter(({ error }) => error !== undefined).length,
  };
}

/** The value below which a share of the values lies (nearest rank); null of none. */
export function percentile(values: readonly number[], portion: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * portion) - 1)] ?? null;
}

function timesOf<K extends 'search' | 'answer'>(what: K, values: number[]) {
  return {
    [`${what}MedianMs`]: percentile(values, 0.5),
    [`${what}P95Ms`]: percentile(values, 0.95),
  } as Record<`${K}MedianMs` | `${K}P95Ms`, number | null>;
}

function share(of: readonly QuestionResult[], holds: (one: QuestionResult) => boolean) {
  return mean(of.map((one) => (holds(one) ? 1 : 0)));
}

function mean(values: number[]): number | null {
  if (values.length === 0) return null;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
