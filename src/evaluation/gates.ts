import type { Measures } from './measures.js';

/** Every gate by its option: which measure it holds, and in which direction. */
export const gates = [
  gate('min-recall1', 'recall1', 'least', 'share', 'of the expected entries that come first'),
  gate('min-recall5', 'recall5', 'least', 'share', 'of the expected entries among the first five'),
  gate('min-mrr10', 'mrr10', 'least', 'share', 'as the mean of 1 / rank, down to the tenth'),
  gate('min-answered', 'answered', 'least', 'share', 'of the responses that hold an answer'),
  gate('min-citations', 'citations', 'least', 'share', 'of the answers that cite rightly'),
  gate('max-wrong-refusals', 'wrongRefusals', 'most', 'share', 'of answerable questions refused'),
  gate('min-right-refusals', 'rightRefusals', 'least', 'share', 'of unanswerable ones refused'),
  gate('max-p95-ms', 'answerP95Ms', 'most', 'milliseconds', 'within which 95 of 100 are answered'),
] as const;

export type Gate = (typeof gates)[number];
export type GateOption = Gate['option'];

/** A gate that did not hold; `value` is null where the set has no question that shows it. */
export interface FailedGate {
  gate: GateOption;
  wanted: number;
  value: number | null;
}

/**
 * The gates that measures do not hold. One that the set can't show fails too: else a set that has lost its
 * answers would pass for good.
 */
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
