import { table } from '../platform/cli/table.js';
import { counted } from '../platform/text/counted.js';
import type { QuestionResult } from './eval-question.js';
import type { Evaluation } from './evaluate-questions.js';
import { type FailedGate, measureAll, type Measures } from './measures.js';

/** An evaluation as the JSON document of `assistant eval --json`. */
export function presentEvaluation(
  { results, missing }: Evaluation,
  facts: { file: string; asked: number; failedGates: readonly FailedGate[] },
): Record<string, unknown> {
  const { all, languages } = measureAll(results);
  return {
    file: facts.file,
    // Fewer results than questions: somebody interrupted it.
    interrupted: results.length < facts.asked,
    measures: presentMeasures(all),
    languages: Object.fromEntries(
      Object.entries(languages).map(([language, own]) => [language, presentMeasures(own)]),
    ),
    modes: countModes(results),
    missing_entries: missing,
    failed_gates: facts.failedGates,
  };
}

/** One question with its result: a line of `--details`. */
export function presentResult(result: QuestionResult): Record<string, unknown> {
  const { question, reply } = result;
  return {
    line: question.line,
    question: question.question,
    language: result.language,
    ...(question.expected.length === 0
      ? {}
      : { expected_entry: question.expected, rank: result.rank }),
    ...(question.unanswerable ? { unanswerable: true } : {}),
    ...(reply === undefined
      ? {}
      : {
          response: reply.text,
          mode: reply.mode,
          refused: reply.refused,
          holds_answer: reply.holdsAnswer,
          cites_rightly: reply.citesRightly,
        }),
    search_ms: rounded(result.searchMs),
    ...(result.answerMs === undefined ? {} : { answer_ms: rounded(result.answerMs) }),
    ...(result.error === undefined ? {} : { error: result.error }),
  };
}

function presentMeasures(measures: Measures): Record<string, number | null> {
  return {
    questions: measures.questions,
    recall_1: measures.recall1,
    recall_5: measures.recall5,
    mrr_10: measures.mrr10,
    answered: measures.answered,
    citations: measures.citations,
    wrong_refusals: measures.wrongRefusals,
    right_refusals: measures.rightRefusals,
    search_median_ms: rounded(measures.searchMedianMs),
    search_p95_ms: rounded(measures.searchP95Ms),
    answer_median_ms: rounded(measures.answerMedianMs),
    answer_p95_ms: rounded(measures.answerP95Ms),
    failed: measures.failed,
  };
}

function countModes(results: readonly QuestionResult[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reply } of results) {
    if (reply !== undefined) counts[reply.mode] = (counts[reply.mode] ?? 0) + 1;
  }
  return counts;
}

/** Rounds to a tenth of a millisecond: two runs differ by more. */
function rounded(ms: number): number;
function rounded(ms: number | null): number | null;
function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}

/** The measures as a table: a row for each language, and one for all if there are several. */
export function tableOf({ results }: Evaluation, width: number): string {
  const { all, languages } = measureAll(results);
  const rows = Object.entries(languages);
  if (rows.length !== 1) rows.push(['all', all]);
  const share = (title: string, value: (of: Measures) => number | null) => ({
    title,
    value: ([, of]: [string, Measures]) => shown(value(of), 3),
  });
  const ms = (title: string, value: (of: Measures) => number | null) => ({
    title,
    value: ([, of]: [string, Measures]) => shown(value(of), 0),
  });
  const columns = [
    { title: 'language', value: ([language]: [string, Measures]) => language },
    { title: 'questions', value: ([, of]: [string, Measures]) => String(of.questions) },
    share('recall@1', (of) => of.recall1),
    share('recall@5', (of) => of.recall5),
    share('MRR@10', (of) => of.mrr10),
    share('answered', (of) => of.answered),
    share('citations', (of) => of.citations),
    share('wrongly refused', (of) => of.wrongRefusals),
    share('rightly', (of) => of.rightRefusals),
    ms('median ms', (of) => of.answerMedianMs ?? of.searchMedianMs),
    ms('p95 ms', (of) => of.answerP95Ms ?? of.searchP95Ms),
  ];
  return table(columns, rows, width);
}

/** Remarks that a person needs besides the table, one sentence each. */
export function notesOf(
  { results, missing }: Evaluation,
  { asked, failedGates }: { asked: number; failedGates: FailedGate[] },
): string[] {
  const failed = results.filter(({ error }) => error !== undefined);
  const first = failed[0];
  return [
    ...missing.map(
      ({ line, name }) => `line ${line}: there is no entry ${name}: it counts as not found.`,
    ),
    ...(first?.error === undefined
      ? []
      : [
          `${counted(failed.length, 'question')} failed. Line ${first.question.line}: ${first.error.message}`,
        ]),
    ...(results.length < asked ? [`Interrupted after ${results.length} of ${asked}.`] : []),
    ...failedGates.map(
      ({ gate, wanted, value }) =>
        `Failed: --${gate} ${wanted}, ${value === null ? 'and no question of the set measures it' : `was ${valueOf(gate, value)}`}.`,
    ),
  ];
}

function valueOf(gate: string, value: number): string {
  return gate.endsWith('-ms') ? `${value.toFixed(0)} ms` : value.toFixed(4);
}

function shown(value: number | null, digits: number): string {
  return value === null ? '-' : value.toFixed(digits);
}
