import { table } from '../platform/cli/table.js';
import type { Evaluation } from './evaluate-questions.js';
import type { FailedGate } from './gates.js';
import { measureAll, type Measures } from './measures.js';

/** The measures as a table: a row for each language, and one for all where there are several. */
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

/** What a person must know beside the table, a sentence each. */
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
      : [`${failed.length} questions failed. Line ${first.question.line}: ${first.error.message}`]),
    ...(results.length < asked ? [`Interrupted after ${results.length} of ${asked}.`] : []),
    ...failedGates.map(
      ({ gate, wanted, value }) =>
        `Failed: --${gate} ${wanted}, ${value === null ? 'and no question of the set shows it' : `was ${valueOf(gate, value)}`}.`,
    ),
  ];
}

function valueOf(gate: string, value: number): string {
  return gate.endsWith('-ms') ? `${value.toFixed(0)} ms` : value.toFixed(4);
}

function shown(value: number | null, digits: number): string {
  return value === null ? '-' : value.toFixed(digits);
}
