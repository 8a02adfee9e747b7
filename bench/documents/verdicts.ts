import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../../src/platform/package-root.js';
import type { Measure, Row } from '../measure.js';
import { documentSets, sampleKinds } from './documents.js';
import type { Draft } from './drafts.js';
import { groupBy } from '../../src/platform/group-by.js';

/** Classes of defects, with the key that marks a draft with the class in the book. */
export const defects = {
  title: 'the title does not say what the text is about',
  foreign: 'text of another section, running head, page number, contents',
  cut: 'text is missing, or a sentence is cut',
  columns: 'columns or boxes are mixed',
  table: 'a table is broken, or something else became a table',
  list: 'a list is broken, or something else became a list',
  code: 'code is broken, or something else became code',
  glyphs: 'wrong letters, missing spaces, broken formulas',
  drawing: 'labels of a drawing, a plot or notes as text',
  empty: 'too little to be an entry',
} as const;

export type Defect = keyof typeof defects;

const verdictSchema = z.object({
  sha256: z.string(),
  file: z.string(),
  kind: z.string(),
  set: z.enum(documentSets),
  title: z.string(),
  /** For documents without pages: which of its sections the draft is, from 1. */
  page_from: z.number(),
  page_to: z.number(),
  /** Of the draft's title and text. */
  hash: z.string(),
  verdict: z.enum(['fit', 'work']),
  /** The worst defect, if the draft needs work. */
  defect: z.enum(Object.keys(defects) as Defect[]).optional(),
  note: z.string().optional(),
  /** Hashes of the judged drafts that this one stands for, because their text changed. */
  replaces: z.array(z.string()).optional(),
  judged_by: z.string(),
  date: z.string(),
});

export type Verdict = z.infer<typeof verdictSchema>;

export const verdictsFile = join(packageRoot(), 'bench', 'documents', 'verdicts.jsonl');

/** One verdict per place in a document: a later line takes the place of the one that it replaces. */
export async function readVerdicts(path = verdictsFile): Promise<Verdict[]> {
  const verdicts = new Map<string, Verdict>();
  if (!existsSync(path)) return [];
  const lines = (await readFile(path, 'utf8')).split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const verdict = parseVerdict(line, `${path}, line ${index + 1}`);
    for (const hash of verdict.replaces ?? []) verdicts.delete(verdict.sha256 + hash);
    verdicts.set(verdict.sha256 + verdict.hash, verdict);
  }
  return [...verdicts.values()];
}

function parseVerdict(line: string, place: string): Verdict {
  try {
    return verdictSchema.parse(JSON.parse(line));
  } catch (error) {
    throw new Error(`${place} is not a verdict.`, { cause: error });
  }
}

/** A judged draft as it is now: `draft` has the judged text, or is the draft at its place whose text changed. */
export interface JudgedDraft {
  verdict: Verdict;
  draft: Draft;
  changed: boolean;
}

/** Finds the judged drafts among those of today. Verdicts on files that were not read are left out. */
export function findJudged(verdicts: readonly Verdict[], drafts: readonly Draft[]): JudgedDraft[] {
  const byFile = groupBy(drafts, (draft) => draft.sha256);
  return verdicts.flatMap((verdict) => {
    const own = byFile.get(verdict.sha256) ?? [];
    const same = own.find((draft) => draft.hash === verdict.hash);
    const draft = same ?? nearest(own, verdict);
    return draft === undefined ? [] : [{ verdict, draft, changed: same === undefined }];
  });
}

/**
 * The draft of the same title, or else of a title that ends the same, that is nearest; else the one that begins nearest
 * to where the judged one began.
 */
function nearest(drafts: readonly Draft[], { page_from: page, title }: Verdict): Draft | undefined {
  const distance = (draft: Draft) => Math.abs(draft.pageFrom - page);
  const endOf = (path: string) => path.split(' › ').at(-1);
  const namesakes = [
    drafts.filter((draft) => draft.title === title),
    drafts.filter((draft) => endOf(draft.title) === endOf(title)),
    drafts,
  ].find((found) => found.length > 0);
  return [...(namesakes ?? [])].sort((a, b) => distance(a) - distance(b))[0];
}

/** How many of the judged drafts an operator would publish as they are, by kind of document, one table for each set. */
export function measureFitness(judged: readonly JudgedDraft[]): Measure[] {
  return documentSets.flatMap((set) => {
    const ofSet = judged.filter(({ verdict }) => verdict.set === set);
    if (ofSet.length === 0) return [];
    const byKind = groupBy(ofSet, ({ verdict }) => verdict.kind);
    const kinds = [...sampleKinds, 'other'].filter((kind) => byKind.has(kind));
    const rows = kinds.map((kind) => fitnessRow(kind, byKind.get(kind) ?? []));
    return [
      {
        name: `fit to publish: ${set}`,
        about:
          'drafts that were judged and did not change since, see bench/documents/verdicts.jsonl; target: 0.9 of each kind',
        rows: [...rows, fitnessRow('all', ofSet)],
      },
    ];
  });
}

function fitnessRow(kind: string, judged: readonly JudgedDraft[]): Row {
  const valid = judged.filter(({ changed }) => !changed).map(({ verdict }) => verdict);
  const fit = valid.filter(({ verdict }) => verdict === 'fit').length;
  const classes = [...groupBy(valid, ({ defect }) => defect ?? '')]
    .filter(([defect]) => defect !== '')
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([defect, of]) => `${defect} ${of.length}`);
  return {
    kind,
    judged: valid.length,
    fit,
    share: valid.length === 0 ? '' : Math.round((fit / valid.length) * 100) / 100,
    'to be judged anew': judged.length - valid.length,
    defects: classes.join(', '),
  };
}
