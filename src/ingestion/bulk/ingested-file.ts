import { AppError, codeOf, messageOf, type ErrorCode } from '../../platform/errors.js';
import type { BatchDiff } from '../batches/batch.js';
import type { Standing } from '../upload/look-up-file.js';

/**
 * The result for a file. `unchanged`: the same bytes were ingested earlier. `skipped`: it is a page without text of its
 * own, in a folder or among other files.
 */
export interface IngestedFile {
  file: string;
  /** Its name in the product. */
  name: string;
  outcome: 'ingested' | 'accepted' | 'unchanged' | 'skipped' | 'failed' | 'interrupted';
  /** Its relation to earlier ingestions; null when unknown. */
  standing: Standing | null;
  batchId: string | null;
  /** When its bytes were stored, by this run or an earlier one: ISO 8601, UTC; null when they are not. */
  storedAt: string | null;
  pages: number;
  entries: number;
  approved: number;
  /** Drafts that were not approved because a person had unpublished their text. They can be approved by number. */
  takenBack: number;
  pagesWithoutText: number[];
  /** Pages with hidden text, which is in no entry. */
  pagesWithHiddenText: number[];
  diff: BatchDiff;
  /** Remarks for people about the visibility of existing entries; empty without any. */
  visibilityNotes: string[];
  /** The file of the last version, if it is still there at another path: the two may be different documents. */
  alsoAt: string | null;
  /** The remark for people on a version that may be another document; null without a doubt. */
  versionNote: string | null;
  error: { code: ErrorCode; message: string } | null;
}

/** The initial result for a file. */
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
    storedAt: null,
    pages: 0,
    entries: 0,
    approved: 0,
    takenBack: 0,
    pagesWithoutText: [],
    pagesWithHiddenText: [],
    visibilityNotes: [],
    alsoAt: null,
    versionNote: null,
    diff: { unchanged: 0, changed: 0, new: 0, gone: 0 },
    error: null,
  };
}

/** The result for a file that failed before it had a batch. */
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
  // Bytes of a name that are not UTF-8 are read as this character, so the file can't be found by it.
  const isOtherwiseEncoded = file.includes('\uFFFD');
  const message = isOtherwiseEncoded
    ? 'Its name is not encoded as UTF-8: rename it.'
    : 'The file went away before it was read.';
  return { code: 'not_found', message };
}
