import { relative } from 'node:path';
import { printableInLine } from '../../platform/text/printable.js';
import { describeDiff } from '../batches/batch.js';
import type { GoneDocument } from '../review/prune-documents.js';
import type { IngestedFile } from './ingested-file.js';

/** The line that tells of one file what became of it, or with `isPlan` what would. */
export function lineOf(result: IngestedFile, isPlan: boolean): string {
  const file = labelOf(result);
  if (result.error !== null) {
    return `${'failed'.padEnd(10)} ${file}: ${result.error.code}: ${result.error.message}`;
  }
  if (isPlan) return `${(result.standing ?? '').padEnd(10)} ${file}${batchOf(result)}`;
  const { diff, outcome, pages, entries, approved } = result;
  if (outcome === 'interrupted' && result.batchId === null) return `${outcome} ${file}`;
  const isNewVersion = diff.unchanged + diff.changed + diff.gone > 0;
  const parts = [
    `${pages} pages`,
    `${entries} entries${isNewVersion ? ` (${describeDiff(diff)})` : ''}`,
    ...(approved > 0 ? [`${approved} approved`] : []),
    ...listed('no text on pages', result.pagesWithoutText),
    ...listed('hidden text on pages', result.pagesWithHiddenText, ': left out'),
  ];
  return `${outcome.padEnd(10)} ${file}: ${parts.join(', ')}${batchOf(result)}`;
}

/** What a person should know of a file besides its line. */
export function notesOf(result: IngestedFile): string[] {
  const takenBack = `${result.takenBack} not approved, since somebody took them back: batches approve ${result.batchId ?? ''} <number>`;
  const notes = [...(result.takenBack > 0 ? [takenBack] : []), ...result.visibilityNotes];
  return notes.map((note) => `${labelOf(result)}: ${note}`);
}

/** What a person calls the file: its path, or the name that standard input was given. */
export function labelOf({ file, name }: Pick<IngestedFile, 'file' | 'name'>): string {
  return printableInLine(file === '-' ? name : shortest(file));
}

/** How many files came to what. `new` and `changed` are those of `ingested` and `accepted`. */
export interface Summary {
  files: number;
  ingested: number;
  accepted: number;
  new: number;
  changed: number;
  unchanged: number;
  failed: number;
  interrupted: number;
  /** The failed ones by their codes. */
  failures: Record<string, number>;
  /** Documents that were taken out; only where that was asked for. */
  pruned?: number;
}

/** `lost` are the codes of what was named and could not be looked at: there is nothing there, or no right to read it. */
export function summarize(
  results: readonly IngestedFile[],
  named: number,
  lost: readonly string[],
): Summary {
  const count = (outcome: IngestedFile['outcome']) =>
    results.filter((one) => one.outcome === outcome).length;
  const done = results.filter(({ outcome }) => outcome === 'ingested' || outcome === 'accepted');
  const changed = done.filter(({ standing }) => standing === 'changed').length;
  const codes = [...results.flatMap(({ error }) => (error === null ? [] : [error.code])), ...lost];
  const failures: Record<string, number> = {};
  for (const code of codes.sort()) failures[code] = (failures[code] ?? 0) + 1;
  return {
    files: named,
    ingested: count('ingested'),
    accepted: count('accepted'),
    new: done.length - changed,
    changed,
    unchanged: count('unchanged'),
    failed: count('failed') + lost.length,
    interrupted: count('interrupted') + (named - results.length),
    failures,
  };
}

/** "7 files, 3 ingested (2 new, 1 changed), 3 unchanged, 1 failed (1 damaged)". */
export function describeSummary(summary: Summary, isPlan: boolean): string {
  const { ingested, accepted, unchanged, failed, interrupted, pruned = 0 } = summary;
  const kinds = some([summary.new, 'new'], [summary.changed, 'changed']);
  const codes = some(...Object.entries(summary.failures).map(([code, n]) => [n, code] as const));
  const done = ingested > 0 ? ingested : accepted;
  const verb = ingested > 0 ? (isPlan ? 'to ingest' : 'ingested') : 'accepted';
  return [
    summary.files === 1 ? '1 file' : `${summary.files} files`,
    ...(done > 0 ? [`${done} ${verb} (${kinds})`] : []),
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    `${failed} failed${codes === '' ? '' : ` (${codes})`}`,
    ...(interrupted > 0 ? [`${interrupted} interrupted`] : []),
    ...(pruned > 0 ? [`${pruned} ${isPlan ? 'to prune' : 'pruned'}`] : []),
  ].join(', ');
}

function some(...counts: (readonly [number, string])[]): string {
  return counts.flatMap(([n, what]) => (n > 0 ? [`${n} ${what}`] : [])).join(', ');
}

/** A file as the document of --json has it. */
export function presentFile(result: IngestedFile) {
  return {
    file: result.file === '-' ? '-' : shortest(result.file),
    name: result.name,
    outcome: result.outcome,
    standing: result.standing,
    batch_id: result.batchId,
    pages: result.pages,
    pages_without_text: result.pagesWithoutText,
    pages_with_hidden_text: result.pagesWithHiddenText,
    diff: result.diff,
    visibility_notes: result.visibilityNotes,
    entries: result.entries,
    approved: result.approved,
    taken_back: result.takenBack,
    error: result.error,
  };
}

/** The line that tells of a document whose file is gone. */
export function lineOfGone({ path, published, drafts }: GoneDocument, isPlan: boolean): string {
  const [verb, back, off] = isPlan
    ? ['gone', 'to take back', 'to delete']
    : ['pruned', 'taken back', 'deleted'];
  const what = `${published} entries ${back}, ${drafts} drafts ${off}`;
  return `${verb.padEnd(10)} ${printableInLine(shortest(path))}: ${what}`;
}

/** The same as the document of --json has it. */
export function presentGone({ path, fileName, batchId, published, drafts }: GoneDocument) {
  return {
    file: shortest(path),
    name: fileName,
    batch_id: batchId,
    taken_back: published,
    deleted: drafts,
  };
}

/** A path as a person would write it: from the present folder where it lies in there. */
export function shortest(path: string): string {
  const near = relative('', path);
  return near.startsWith('..') ? path : near;
}

function batchOf({ batchId }: IngestedFile): string {
  return batchId === null ? '' : `, batch ${batchId}`;
}

function listed(what: string, pages: readonly number[], rest = ''): string[] {
  return pages.length === 0 ? [] : [`${what} ${pages.join(', ')}${rest}`];
}
