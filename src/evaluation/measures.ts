import type { QuestionResult } from './eval-question.js';

/** Every gate by its option: its measure and its direction. */
export const gates = [
  gate('min-recall1', 'recall1', 'least', 'share', 'expected entries that come first'),
  gate('min-recall5', 'recall5', 'least', 'share', 'expected entries among the first five'),
  gate('min-mrr10', 'mrr10', 'least', 'share', 'mean of 1 / rank, down to rank 10'),
  gate('min-answered', 'answered', 'least', 'share', 'responses that contain an answer'),
  gate('min-citations', 'citations', 'least', 'share', 'answers that cite the right entry'),
  gate('max-wrong-refusals', 'wrongRefusals', 'most', 'share', 'answerable questions refused'),
  gate('min-right-refusals', 'rightRefusals', 'least', 'share', 'unanswerable questions refused'),
  gate('max-p95-ms', 'answerP95Ms', 'most', 'milliseconds', 'of 95 in 100 answers'),
] as const;

export type Gate = (typeof gates)[number];
export type GateOption = Gate['option'];

/** A failed gate; `value` is null when no question of the set measures it. */
export interface FailedGate {
  gate: GateOption;
  wanted: number;
  value: number | null;
}

/** The failed gates. One without any measuring question fails too: a set that lost its answers must not pass. */
export function failedGates(
  measures: Measures,
  wanted: Partial<Record<GateOption, number>>,
): FailedGate[] {
  return gates.flatMap(({ option, measure, bound }) => {
    const limit = wanted[option];
    if (limit === undefined) return [];
    const value = valueOf(measures, measure);
    const holds = value !== null && (bound === 'least' ? value >= limit : value <= limit);
    return holds ? [] : [{ gate: option, wanted: limit, value }];
  });
}

/** Without answers, the time is that of the search. */
function valueOf(measures: Measures, measure: Gate['measure']): number | null {
  if (measure === 'answerP95Ms') return measures.answerP95Ms ?? measures.searchP95Ms;
  return measures[measure];
}

function gate<O extends string, M extends keyof Measures>(
  option: O,
  measure: M,
  bound: 'least' | 'most',
  unit: 'share' | 'milliseconds',
  about: string,
) {
  return { option, measure, bound, unit, about };
}

/** Shares are from 0 to 1, times in milliseconds; null when no question of the set measures it. */
export interface Measures {
  questions: number;
  /** The share of questions with an expected entry at rank 1, or among the first five. */
  recall1: number | null;
  recall5: number | null;
  /** The mean of 1 / rank, 0 beyond rank 10 (Voorhees 1999). */
  mrr10: number | null;
  /** The share of questions with expected answers whose response contains one. */
  answered: number | null;
  /** The share of given answers with right citations. */
  citations: number | null;
  /** The share of answerable questions that were refused. */
  wrongRefusals: number | null;
  /** The share of unanswerable questions that were refused. */
  rightRefusals: number | null;
  searchMedianMs: number | null;
  searchP95Ms: number | null;
  answerMedianMs: number | null;
  answerP95Ms: number | null;
  /** Questions that ended in an error. They count as not found and not answered. */
  failed: number;
}

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
  // Without answers there are no times of answers.
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

/** The value below which a share `portion` of the values lies (nearest rank); null without values. */
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
