import { resolve } from 'node:path';
import type { Session } from '../../platform/cli/cli.js';
import { confirm } from '../../platform/cli/prompts.js';
import { isInteractive, missingValue } from '../../platform/cli/terminal.js';
import { codeOf } from '../../platform/errors.js';
import { printableInLine } from '../../platform/text/printable.js';
import type { GoneDocument } from '../review/prune-documents.js';
import type { FoundFiles } from './find-files.js';
import { lineOfGone, shortest } from './ingest-report.js';
import type { Pruning } from './ingest-target.js';
import type { IngestedFile } from './ingested-file.js';
import { fit } from './name-files.js';

export type RunContext = Pick<Session, 'out' | 'terminal' | 'interrupted'>;

export interface PruneOptions {
  /** True to remove what was ingested from files that are gone. */
  prune: boolean;
  /** Do not ask, and prune even for folders without any PDF. */
  yes: boolean;
  dryRun: boolean;
}

export interface Pruned {
  documents: GoneDocument[];
  /** True when something remains that is gone or could not be checked. */
  isPartial: boolean;
}

/** Refuses with `usage` missing options before any work: a script must not fail only at its end. */
export function checkPruning({ terminal }: RunContext, options: PruneOptions): void {
  if (!options.prune || options.yes || options.dryRun || isInteractive(terminal)) return;
  throw missingValue('--yes', 'The confirmation of --prune');
}

/** What a run has found of the files, as far as it tells which documents are gone. */
export interface Present {
  names: Set<string>;
  batches: Set<string>;
  /** False when a file could not be read: it may be a moved one, so its old document may not be gone. */
  isComplete: boolean;
}

export function notePresent(present: Present, file: IngestedFile): void {
  present.names.add(file.name);
  if (file.batchId !== null) present.batches.add(file.batchId);
  const { standing, error } = file;
  const isRead =
    standing !== null || error?.code === 'not_a_pdf' || error?.code === 'file_too_large';
  if (!isRead) present.isComplete = false;
}

/**
 * Removes documents that came from the folders and whose files are gone. Requires that every named path could be read.
 * For a folder without any PDF, which may be a missing disk, also requires --yes.
 */
export async function pruneGone(
  context: RunContext,
  found: FoundFiles,
  present: Present,
  options: PruneOptions,
  { pruning, source }: { pruning: Pruning; source: string | null },
): Promise<Pruned> {
  const { out, interrupted } = context;
  const nothing = { documents: [], isPartial: true };
  const absent = found.missing.filter((name) => !isFolder(found, name));
  const isComplete = absent.length === 0 && found.unreadable.length === 0 && present.isComplete;
  if (interrupted.aborted || !isComplete) {
    out.note('Nothing was pruned, because some of the named files or folders could not be read.');
    return nothing;
  }
  const meant = found.folders.filter(({ isEmpty }) => options.yes || !isEmpty);
  for (const { path } of found.folders.filter((folder) => !meant.includes(folder))) {
    const name = printableInLine(shortest(path));
    out.note(
      `Nothing was pruned of ${name}: it contains no PDF. To prune all the same, give --yes.`,
    );
  }
  const isPartial = meant.length < found.folders.length;
  // Without one of its folders, most of a source would seem to be gone.
  if (meant.length === 0 || (isPartial && source !== null)) return nothing;
  const folders = meant.map(({ path }) => path);
  const names = new Set([...present.names, ...found.namesLeftOut.map(fit)]);
  const gone = await pruning.findGone({ folders, names, present: present.batches });
  if (gone.length === 0 || options.dryRun) {
    tell(context, gone, true);
    return { documents: gone, isPartial };
  }
  if (!(await isWanted(context, gone, options))) return nothing;
  const documents: GoneDocument[] = [];
  let left = 0;
  for (const document of gone) {
    const done = await removed(pruning, document);
    if (done === 'now') documents.push(document);
    else if (done === 'read again') left++;
  }
  tell(context, documents, false);
  return { documents, isPartial: isPartial || left > 0 };
}

/** Another run may have removed the document, or ingested it again. */
async function removed(
  pruning: Pruning,
  document: GoneDocument,
): Promise<'now' | 'before' | 'read again'> {
  try {
    await pruning.prune(document);
    return 'now';
  } catch (error) {
    if (codeOf(error) === 'not_found') return 'before';
    if (codeOf(error) === 'conflict') return 'read again';
    throw error;
  }
}

/** True when a name that matched no PDF is an existing folder. */
export function isFolder({ folders }: FoundFiles, name: string): boolean {
  return folders.some(({ path }) => path === resolve(name));
}

async function isWanted(
  context: RunContext,
  gone: readonly GoneDocument[],
  { yes }: PruneOptions,
): Promise<boolean> {
  if (!yes) for (const one of gone) context.out.note(lineOfGone(one, true));
  const files = gone.length === 1 ? 'of this file' : `of these ${gone.length} files`;
  const question = `Take out what was ingested ${files}, since they are gone?`;
  if (await confirm(context.terminal, yes, question)) return true;
  context.out.note('Nothing was pruned.');
  return false;
}

function tell({ out }: RunContext, documents: readonly GoneDocument[], isPlan: boolean): void {
  if (out.json) return;
  for (const one of documents) out.line(one, lineOfGone(one, isPlan));
}
