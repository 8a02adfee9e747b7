import { relative } from 'node:path';
import { printableInLine } from '../../platform/text/printable.js';
import { counted } from '../../platform/text/counted.js';
import { describeDiff } from '../batches/batch.js';
import type { GoneDocument } from '../review/prune-documents.js';
import type { IngestedFile } from './ingested-file.js';

/** The line about one file: its result, or with `isPlan` its expected result. */
export function lineOf(result: IngestedFile, isPlan: boolean): string {
  const file = labelOf(result);
  if (result.error !== null) {
    return `${'failed'.padEnd(10)} ${file}: ${result.error.code}: ${result.error.message}`;
  }
  if (result.outcome === 'skipped') {
    return `${'skipped'.padEnd(10)} ${file}: it has no text of its own${batchOf(result)}`;
  }
  if (isPlan) return `${(result.standing ?? '').padEnd(10)} ${file}${batchOf(result)}`;
  const { diff, outcome, pages, entries, approved } = result;
  if (outcome === 'interrupted' && result.batchId === null) return `${outcome} ${file}`;
  const isNewVersion = diff.unchanged + diff.changed + diff.gone > 0;
  const parts = [
    counted(pages, 'page'),
    `${counted(entries, 'entry', 'entries')}${isNewVersion ? ` (${describeDiff(diff)})` : ''}`,
    ...(approved > 0 ? [`${approved} approved`] : []),
    ...listed('no text on pages', result.pagesWithoutText),
    ...listed('hidden text on pages', result.pagesWithHiddenText, ': left out'),
    ...(outcome === 'unchanged' ? [`stored at ${result.storedAt ?? ''}`] : []),
  ];
  return `${outcome.padEnd(10)} ${file}: ${parts.join(', ')}${batchOf(result)}`;
}

/** Further remarks on a file for people. */
export function notesOf(result: IngestedFile): string[] {
  const takenBack = `${result.takenBack} not approved, since somebody took them back: batches approve ${result.batchId ?? ''} <number>`;
  const notes = [...(result.takenBack > 0 ? [takenBack] : []), ...result.visibilityNotes];
  if (result.versionNote !== null) notes.push(result.versionNote);
  return notes.map((note) => `${labelOf(result)}: ${note}`);
}

/** What to do next with the drafts of documents. A single one is named by its batch. */
export function describeNext(
  documents: number,
  { source, batchId }: { source: string | null; batchId?: string | null | undefined },
): string {
  const all = source === null ? '<batch> --all' : `--all --source "${printableInLine(source)}"`;
  const ways =
    documents === 1 && batchId
      ? `assistant batches review ${batchId}, or assistant batches approve ${batchId} --all`
      : `assistant batches review, or assistant batches approve ${all}`;
  return `Drafts of ${counted(documents, 'document')} wait: ${ways}`;
}

/** The label of a file for people: its path, or the name given to standard input. */
export function labelOf({ file, name }: Pick<IngestedFile, 'file' | 'name'>): string {
  return printableInLine(file === '-' ? name : shortest(file));
}

/**
 * Numbers of files by result. `new` and `changed` are parts of `ingested` and `accepted`: the files that this run
 * stored, and no other.
 */
export interface Summary {
  files: number;
  ingested: number;
  accepted: number;
  new: number;
  changed: number;
  unchanged: number;
  /** Pages without text of their own. */
  skipped: number;
  failed: number;
  interrupted: number;
  /** Failed files by error code. */
  failures: Record<string, number>;
  /** Documents that are gone and were not pruned; only if that is known. */
  gone?: number;
  /** Documents that were pruned; only if requested. */
  pruned?: number;
}

/** Counts the results of a run one by one. `lost` are the codes of named paths that are missing or unreadable. */
export function countResults(named: number, lost: readonly string[]) {
  const summary: Summary = {
    files: named,
    ingested: 0,
    accepted: 0,
    new: 0,
    changed: 0,
    unchanged: 0,
    skipped: 0,
    failed: lost.length,
    interrupted: named,
    failures: {},
  };
  const codes = new Map<string, number>();
  const count = (code: string) => codes.set(code, (codes.get(code) ?? 0) + 1);
  lost.forEach(count);
  return {
    add({ outcome, standing, error }: Pick<IngestedFile, 'outcome' | 'standing' | 'error'>): void {
      summary.interrupted--;
      summary[outcome]++;
      const isStored = outcome === 'ingested' || outcome === 'accepted';
      if (isStored && standing !== null) summary[standing]++;
      if (error !== null) count(error.code);
    },
    /** The files that nothing was reported of count as interrupted. */
    summary: (): Summary => ({ ...summary, failures: Object.fromEntries([...codes].sort()) }),
  };
}

/** "7 files, 3 ingested (2 new, 1 changed), 3 unchanged, 1 failed (1 damaged)". */
export function describeSummary(summary: Summary, isPlan: boolean): string {
  const {
    ingested,
    accepted,
    unchanged,
    skipped,
    failed,
    interrupted,
    gone = 0,
    pruned = 0,
  } = summary;
  const kinds = some([summary.new, 'new'], [summary.changed, 'changed']);
  const codes = some(...Object.entries(summary.failures).map(([code, n]) => [n, code] as const));
  const done = ingested > 0 ? ingested : accepted;
  const verb = ingested > 0 ? (isPlan ? 'to ingest' : 'ingested') : 'accepted';
  return [
    counted(summary.files, 'file'),
    ...(done > 0 ? [`${done} ${verb}${kinds === '' ? '' : ` (${kinds})`}`] : []),
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    `${failed} failed${codes === '' ? '' : ` (${codes})`}`,
    ...(interrupted > 0 ? [`${interrupted} interrupted`] : []),
    ...(gone > 0 ? [`${gone} gone`] : []),
    ...(pruned > 0 ? [`${pruned} ${isPlan ? 'to prune' : 'pruned'}`] : []),
  ].join(', ');
}

function some(...counts: (readonly [number, string])[]): string {
  return counts.flatMap(([n, what]) => (n > 0 ? [`${n} ${what}`] : [])).join(', ');
}

export function presentFile(result: IngestedFile) {
  return {
    file: result.file === '-' ? '-' : shortest(result.file),
    name: result.name,
    outcome: result.outcome,
    standing: result.standing,
    batch_id: result.batchId,
    stored_at: result.storedAt,
    pages: result.pages,
    pages_without_text: result.pagesWithoutText,
    pages_with_hidden_text: result.pagesWithHiddenText,
    diff: result.diff,
    visibility_notes: result.visibilityNotes,
    also_at: result.alsoAt === null ? null : shortest(result.alsoAt),
    version_note: result.versionNote,
    entries: result.entries,
    approved: result.approved,
    taken_back: result.takenBack,
    error: result.error,
  };
}

/** What to do with documents that are gone at their source: `in the folder`, `at the source`. */
export function describeGone(documents: number, where: string): string {
  const [are, their] = documents === 1 ? ['is', 'its'] : ['are', 'their'];
  return `${counted(documents, 'document')} ${are} no longer ${where}. Take ${their} entries back with --prune.`;
}

/** The line about a document whose file is gone. */
export function lineOfGone(gone: GoneDocument, isPlan: boolean): string {
  const { published, drafts } = gone;
  const [verb, back, off] = isPlan
    ? ['gone', 'to take back', 'to delete']
    : ['pruned', 'taken back', 'deleted'];
  const what = `${counted(published, 'entry', 'entries')} ${back}, ${counted(drafts, 'draft')} ${off}`;
  return `${verb.padEnd(10)} ${printableInLine(fileOf(gone))}: ${what}`;
}

export function presentGone(gone: GoneDocument) {
  const { fileName: name, batchId: batch_id, published, drafts } = gone;
  return { file: fileOf(gone), name, batch_id, published, drafts };
}

export function presentPruned(gone: GoneDocument) {
  const { published: taken_back, drafts: deleted, ...document } = presentGone(gone);
  return { ...document, taken_back, deleted };
}

function fileOf({ path, fileName }: GoneDocument): string {
  return path === null ? fileName : shortest(path);
}

/** The shortest form of a path: relative to the current folder if it is inside. */
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
