import { setMaxListeners } from 'node:events';
import type { ExitCode } from '../../platform/cli/cli.js';
import { tell } from '../../platform/cli/terminal.js';
import { createProgress } from '../../platform/cli/progress.js';
import { counted } from '../../platform/text/counted.js';
import { printableInLine } from '../../platform/text/printable.js';
import { kindsInWords } from '../../documents/document.js';
import { AppError } from '../../platform/errors.js';
import { findDocuments, type FoundFiles } from './find-files.js';
import { ingestFiles, type IngestHooks, type IngestOptions } from './ingest-files.js';
import {
  describeNext,
  describeSummary,
  labelOf,
  lineOf,
  notesOf,
  presentFile,
  presentGone,
  presentPruned,
  shortest,
  countResults,
} from './ingest-report.js';
import { describeUnread } from './describe-doubt.js';
import type { IngestedFile } from './ingested-file.js';
import type { IngestTarget } from './ingest-target.js';
import {
  checkPruning,
  isFolder,
  notePresent,
  settleGone,
  type Present,
  type RunContext,
  type Settled,
} from './prune-gone.js';
import type { Choice } from './search-folders.js';

export interface RunOptions extends IngestOptions {
  choice: Choice;
  /** The name for the document on standard input. */
  stdinName: string | undefined;
  prune: boolean;
  pruneAll?: boolean;
  /** Do not ask before pruning. */
  yes: boolean;
  quiet: boolean;
}

/**
 * Ingests what the arguments name and reports the results. The target is opened once there is a file for it, and its
 * problems are reported before any file is read. Errors: `usage` and `not_found`.
 */
export async function runIngest(
  context: RunContext,
  names: readonly string[],
  options: RunOptions,
  open: (giveUp: (trouble: AppError) => void, signal: AbortSignal) => Promise<IngestTarget>,
): Promise<ExitCode> {
  const { out, interrupted, terminal } = context;
  checkPruning(context, options);
  if (names.some((name) => name.trim() === '')) throw nothingNamed();
  const found = await findDocuments(
    names.filter((name) => name !== '-'),
    options.choice,
    interrupted,
  );
  if (names.includes('-')) {
    found.files.unshift({ path: '-', name: nameOfInput(context, options), folder: null });
  }
  if (options.prune && found.folders.length === 0) {
    throw found.missing.length > 0 ? nothingFound(found) : nothingToPrune();
  }
  const isMissing = (name: string) => !(options.prune && isFolder(found, name));
  const lost = noteLosses(context, { ...found, missing: found.missing.filter(isMissing) });
  if (found.files.length === 0 && (!options.prune || lost.length > 0)) throw nothingFound(found);
  const stopped = new AbortController();
  let trouble: AppError | undefined;
  const giveUp = (error: AppError) => {
    trouble ??= error;
    stopped.abort(new AppError('shutting_down', 'Nothing can be stored.'));
  };
  const signal = AbortSignal.any([interrupted, stopped.signal]);
  // Each file under way listens to it. Node would report more than ten listeners as a leak.
  setMaxListeners(0, signal);
  const target = await open(giveUp, signal);
  try {
    const { onProgress, onDone } = hooksFor(context, options, found.files.length);
    const document = out.document(options.dryRun ? { dry_run: true } : {}, 'files');
    const results = countResults(found.files.length, lost);
    const present: Present = { names: new Set(), batches: new Set(), isComplete: true };
    const withDrafts: IngestedFile[] = [];
    const hooks = {
      signal,
      giveUp,
      stdin: terminal.stdin,
      onProgress,
      onDone(result: IngestedFile) {
        results.add(result);
        if (bringsDrafts(result)) withDrafts.push(result);
        if (found.folders.length > 0) notePresent(present, result);
        document.add(presentFile(result));
        onDone(result);
      },
    };
    const isAlone = found.files.length === 1 && found.folders.length === 0;
    await ingestFiles(target, found.files, { ...options, isAlone }, hooks);
    const { pruning } = target;
    const isKnown = found.folders.length > 0 && pruning !== undefined && !stopped.signal.aborted;
    const { gone, pruned, isPartial, refusal }: Settled = isKnown
      ? await settleGone(context, found, present, options, pruning)
      : { isPartial: false };
    const problem = trouble ?? refusal;
    const summary = {
      ...results.summary(),
      ...(gone && { gone: gone.length }),
      ...(pruned && { pruned: pruned.length }),
    };
    if (out.json) {
      const { missing } = found;
      const unreadable = [...found.unreadable, ...found.outside];
      document.end({
        missing,
        unreadable,
        ...(gone && { gone: gone.map(presentGone) }),
        ...(pruned && { pruned: pruned.map(presentPruned) }),
        summary,
        ...(problem === undefined ? {} : { error: presentError(problem) }),
      });
    } else out.note(describeSummary(summary, options.dryRun));
    if (withDrafts.length > 0 && !out.json) {
      // A target that knows no paths is a server.
      const isRemote = target.follow === undefined;
      const where = `${counted(withDrafts.length, 'document')} wait in the backoffice of the server`;
      const [{ batchId } = {}] = withDrafts;
      const next = describeNext(withDrafts.length, { source: target.source, batchId });
      out.note(isRemote ? `Drafts of ${where}, under Documents.` : next);
    }
    if (options.approve && summary.accepted > 0) {
      out.note('Files that were only accepted are not approved: run the same command again later.');
    }
    if (options.dryRun) {
      // A target that knows no paths can tell only by the texts, which a dry run does not read.
      const isUnsure = target.follow === undefined && target.source === null;
      if (isUnsure && summary.changed > 0) out.note(describeUnread(summary.changed));
      out.note('(dry run) Nothing was changed.');
    }
    if (target.domain !== null && !target.domainIsRegistered) {
      out.note(`No app claims ${target.domain} yet: its entries stay hidden until one does.`);
    }
    if (interrupted.aborted) {
      out.note(
        'Interrupted. What was accepted is kept: run the same command again to do the rest.',
      );
    }
    if (problem !== undefined) {
      const kept = ' What was accepted is kept: then run the same command again.';
      tell(terminal, `assistant: ${problem.message}${trouble === undefined ? '' : kept}`);
      return trouble === undefined ? 4 : 1;
    }
    const undone = summary.failed + summary.interrupted;
    if (undone === 0) return isPartial ? 5 : 0;
    return undone < found.files.length + lost.length ? 5 : 1;
  } finally {
    await target.close();
  }
}

/** True for a file with new or changed text that nobody has approved. */
function bringsDrafts({ outcome, approved, diff }: IngestedFile): boolean {
  return outcome === 'ingested' && diff.new + diff.changed > approved;
}

function presentError({ code, message }: AppError) {
  return { code, message };
}

/** Usually a variable of a script that is not set. */
function nothingNamed(): AppError {
  const sentence = 'The name of a file is empty. Name a file, a folder or a pattern.';
  return new AppError('usage', sentence);
}

function nothingToPrune(): AppError {
  const sentence = '--prune needs a folder: name one.';
  return new AppError('usage', sentence);
}

function nameOfInput({ terminal }: RunContext, { stdinName }: RunOptions): string {
  if (stdinName === undefined) {
    const sentence = 'A document from standard input needs a name: give --name.';
    throw new AppError('usage', sentence);
  }
  if (terminal.stdin.isTTY === true) {
    const sentence = 'Standard input is a terminal. Redirect a file into it: < report.pdf';
    throw new AppError('usage', sentence);
  }
  return stdinName;
}

function nothingFound(found: FoundFiles): AppError {
  const { missing, leftOut, passedOver } = found;
  const [folder] = [...found.unreadable, ...found.outside];
  const sentence =
    folder !== undefined
      ? `${shortest(folder.path)} could not be read: ${folder.message}`
      : leftOut > 0
        ? `--include and --exclude leave out all of the ${leftOut} documents there are.`
        : `There is no document at ${missing.join(', ')}. ${hintOf(passedOver)}`;
  return new AppError('not_found', sentence);
}

/** What to do where nothing was found. */
function hintOf(passedOver: number): string {
  if (passedOver === 0) return 'Name a file, a folder or a pattern.';
  const files = passedOver === 1 ? 'The file there is' : `The ${passedOver} files there are`;
  return `${files} of other kinds. These are read: ${kindsInWords}. A file that is named itself is read by its content, whatever its name.`;
}

/** Reports named paths that are missing or unreadable, and returns their codes. */
function noteLosses({ out }: RunContext, found: FoundFiles): string[] {
  const { missing, leftOut } = found;
  const unreadable = [...found.unreadable, ...found.outside];
  for (const name of missing) out.note(`There is no document at ${printableInLine(name)}.`);
  for (const { path, message } of unreadable) {
    out.note(`${printableInLine(shortest(path))} could not be read: ${message}`);
  }
  if (leftOut > 0) out.note(`--include and --exclude leave out ${leftOut} documents.`);
  return [...missing.map(() => 'not_found'), ...unreadable.map(() => 'unreadable')];
}

function hooksFor(
  { out, terminal }: RunContext,
  { quiet, dryRun }: RunOptions,
  files: number,
): Pick<IngestHooks, 'onProgress' | 'onDone'> {
  const progress = createProgress(terminal, out.json || quiet);
  let done = 0;
  if (files > 1) progress.whole(done, files, 'files');
  return {
    onProgress(found, batch) {
      const label = labelOf(found);
      const { processedPages, totalPages, processedChunks, totalChunks } = batch;
      if (totalChunks === 0) progress.update(label, processedPages, totalPages, 'pages');
      else progress.update(label, processedChunks, totalChunks, 'entries');
    },
    onDone(result) {
      progress.clear();
      progress.end(labelOf(result));
      if (!out.json) out.line(result, lineOf(result, dryRun));
      notesOf(result).forEach((note) => out.note(note));
      done++;
      if (files > 1 && done < files) progress.whole(done, files, 'files');
    },
  };
}
