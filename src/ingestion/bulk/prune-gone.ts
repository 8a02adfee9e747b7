import { resolve } from 'node:path';
import type { Session } from '../../platform/cli/cli.js';
import { confirm } from '../../platform/cli/prompts.js';
import { isInteractive, missingValue } from '../../platform/cli/terminal.js';
import { AppError, type ErrorCode, messageOf } from '../../platform/errors.js';
import { printableInLine } from '../../platform/text/printable.js';
import { type GoneDocument, pruneEach } from '../review/prune-documents.js';
import type { FoundFiles } from './find-files.js';
import { describeGone, lineOfGone, shortest } from './ingest-report.js';
import type { Pruning } from './ingest-target.js';
import type { IngestedFile } from './ingested-file.js';
import { fit } from './name-files.js';

/** A file with one of these is known to be there, and no document. */
const unfit = new Set<ErrorCode>(['not_a_pdf', 'unsupported_kind', 'file_too_large']);

export type RunContext = Pick<Session, 'out' | 'terminal' | 'interrupted'>;

export interface PruneOptions {
  /** True to remove what was ingested from files that are gone. */
  prune: boolean;
  /** Prune also when more documents would go than stay. */
  pruneAll?: boolean;
  /** Do not ask. */
  yes: boolean;
  dryRun: boolean;
}

/** The documents whose files are gone. */
export interface Settled {
  /** Those with entries, which are only named; undefined where it can't be told, and with --prune. */
  gone?: GoneDocument[];
  /** Those that were pruned, or would be; only if requested. */
  pruned?: GoneDocument[];
  /** True when something should be pruned that remains or could not be checked. */
  isPartial: boolean;
  /** Why nothing was pruned, when more documents would go than stay. */
  refusal?: AppError;
}

/** Errors: `usage` for missing options before any work: a script must not fail only at its end. */
export function checkPruning({ terminal }: RunContext, options: PruneOptions): void {
  if (!options.prune || options.yes || options.dryRun || isInteractive(terminal)) return;
  throw missingValue('--yes', 'The confirmation of --prune');
}

/** The findings of a run about files that show which documents are gone. */
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
  const isRead = standing !== null || (error !== null && unfit.has(error.code));
  if (!isRead) present.isComplete = false;
}

/**
 * Names documents that came from the folders and whose files are gone, and removes them if requested. Requires that every named path could be read.
 * Refuses to remove more documents than stay, or to prune beside a folder without any document, which may be a missing disk:
 * a person is asked about that, and a script gives --prune-all.
 */
export async function settleGone(
  context: RunContext,
  found: FoundFiles,
  present: Present,
  options: PruneOptions,
  pruning: Pruning,
): Promise<Settled> {
  const { out, interrupted } = context;
  const nothing = { pruned: [], isPartial: true };
  const absent = found.missing.filter((name) => !isFolder(found, name));
  const isComplete = absent.length === 0 && found.unreadable.length === 0 && present.isComplete;
  if (interrupted.aborted || !isComplete) {
    if (!options.prune) return { isPartial: false };
    out.note('Nothing was pruned, because some of the named files or folders could not be read.');
    return nothing;
  }
  const folders = found.folders.map(({ path }) => path);
  const names = new Set([...present.names, ...found.namesLeftOut.map(fit)]);
  const where = { folders, names, present: present.batches };
  if (!options.prune) return nameGone(context, () => pruning.findGone(where), folders.length);
  const gone = await pruning.findGone(where);
  const doubt = options.pruneAll === true ? undefined : doubtOf(gone, names.size, found);
  if (doubt !== undefined && (options.yes || options.dryRun)) {
    tell(context, gone, true);
    const sentence = `${doubt} Nothing was removed. Check that all files are there. If they are gone on purpose, run the command again with --prune-all.`;
    return { ...nothing, refusal: new AppError('conflict', sentence) };
  }
  if (gone.length === 0 || options.dryRun) {
    tell(context, gone, true);
    return { pruned: gone, isPartial: false };
  }
  if (!(await isWanted(context, gone, options, doubt))) return nothing;
  const { pruned, left } = await pruneEach(gone, (document) => pruning.prune(document));
  tell(context, pruned, false);
  return { pruned, isPartial: left.length > 0 };
}

/** Names what answers may still cite. Never fails: what the run was asked for is done. */
async function nameGone(
  context: RunContext,
  find: () => Promise<GoneDocument[]>,
  folders: number,
): Promise<Settled> {
  try {
    const gone = (await find()).filter(({ published, drafts }) => published + drafts > 0);
    tell(context, gone, true);
    const where = folders === 1 ? 'in the folder' : 'in the folders';
    if (gone.length > 0) context.out.note(describeGone(gone.length, where));
    return { gone, isPartial: false };
  } catch (error) {
    context.out.note(`Nobody knows which documents are gone: ${messageOf(error)}`);
    return { isPartial: false };
  }
}

/** Why the files are rather missing than gone, with what pruning would do; undefined when they seem to be gone. */
function doubtOf(
  gone: readonly GoneDocument[],
  stay: number,
  { folders }: FoundFiles,
): string | undefined {
  if (gone.length === 0) return undefined;
  const published = gone.reduce((sum, document) => sum + document.published, 0);
  const drafts = gone.reduce((sum, document) => sum + document.drafts, 0);
  const counts = `${gone.length} would go (published entries: ${published}, drafts: ${drafts}), ${stay} would stay.`;
  const empty = folders.find(({ isEmpty }) => isEmpty);
  if (empty !== undefined) {
    const name = printableInLine(shortest(empty.path)) || 'the folder';
    return `--prune would remove documents although ${name} contains no document: ${counts}`;
  }
  if (gone.length <= stay) return undefined;
  return `--prune would remove more documents than it keeps: ${counts}`;
}

/** True when a name that matched no document is an existing folder. */
export function isFolder({ folders }: FoundFiles, name: string): boolean {
  return folders.some(({ path }) => path === resolve(name));
}

async function isWanted(
  context: RunContext,
  gone: readonly GoneDocument[],
  { yes }: PruneOptions,
  doubt: string | undefined,
): Promise<boolean> {
  if (!yes) for (const one of gone) context.out.note(lineOfGone(one, true));
  if (doubt !== undefined) context.out.note(doubt);
  const question =
    gone.length === 1
      ? 'Take out what was ingested from this file, since it is gone?'
      : `Take out what was ingested from these ${gone.length} files, since they are gone?`;
  if (await confirm(context.terminal, yes, question)) return true;
  context.out.note('Nothing was pruned.');
  return false;
}

function tell({ out }: RunContext, documents: readonly GoneDocument[], isPlan: boolean): void {
  if (out.json) return;
  for (const one of documents) out.line(one, lineOfGone(one, isPlan));
}
