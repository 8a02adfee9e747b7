import { AppError, codeOf, messageOf, type ErrorCode } from '../../platform/errors.js';
import type { BatchDiff } from '../batches/batch.js';
import type { Standing } from '../upload/look-up-file.js';

/** What became of a file. `unchanged`: these very bytes were ingested before. */
export interface IngestedFile {
  file: string;
  /** What it is called in the product. */
  name: string;
  outcome: 'ingested' | 'accepted' | 'unchanged' | 'failed' | 'interrupted';
  /** How it stood to what was ingested before; null where that was not found out. */
  standing: Standing | null;
  batchId: string | null;
  pages: number;
  entries: number;
  approved: number;
  /** Drafts that were not approved, since a person had taken their text back: they are approved by number. */
  takenBack: number;
  pagesWithoutText: number[];
  /** Pages that hold text which nobody sees, and which is in no entry. */
  pagesWithHiddenText: number[];
  diff: BatchDiff;
  /** What became of the visibility of the entries that stood already, for a person; empty where nothing did. */
  visibilityNotes: string[];
  error: { code: ErrorCode; message: string } | null;
}

/** A file of which nothing more is known yet. */
export function blankFile(
  file: string,
  name: string,
  outcome: IngestedFile['outcome'],
): IngestedFile {
  return {
    file,
    name,
    outcome,
    standing: null,
    batchId: null,
    pages: 0,
    entries: 0,
    approved: 0,
    takenBack: 0,
    pagesWithoutText: [],
    pagesWithHiddenText: [],
    visibilityNotes: [],
    diff: { unchanged: 0, changed: 0, new: 0, gone: 0 },
    error: null,
  };
}

/** A file that something went wrong with before it had a batch. */
export function failedFile(file: string, name: string, error: unknown): IngestedFile {
  const isInterrupted = codeOf(error) === 'shutting_down';
  if (isInterrupted) return blankFile(file, name, 'interrupted');
  const code = error instanceof AppError ? codeOf(error) : 'internal';
  const told = unreadable((error as NodeJS.ErrnoException | null)?.code, file);
  return {
    ...blankFile(file, name, 'failed'),
    error: told ?? { code, message: messageOf(error) },
  };
}

function unreadable(systemCode: string | undefined, file: string): IngestedFile['error'] {
  if (systemCode === 'EACCES' || systemCode === 'EPERM') {
    return { code: 'forbidden', message: 'The file may not be read.' };
  }
  if (systemCode !== 'ENOENT') return null;
  // What a name holds that is not UTF-8 is read as this character, and then nothing is found under it.
  const isOtherwiseEncoded = file.includes('\uFFFD');
  const message = isOtherwiseEncoded
    ? 'Its name is not encoded as UTF-8: rename it.'
    : 'The file went away before it was read.';
  return { code: 'not_found', message };
}
