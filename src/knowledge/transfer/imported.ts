import { AppError, type ErrorCode } from '../../platform/errors.js';
import type { EntryRecord } from './entry-record.js';
import type { PlaceDefaults } from './find-places.js';
import type { Said } from './read-sources.js';

export interface Imported {
  source: string;
  line: number | null;
  /** The entry's uuid; null when the record could not be used. */
  id: string | null;
  title: string | null;
  action: 'create' | 'update' | 'unchanged' | 'failed';
  error: { code: ErrorCode; message: string } | null;
}

export interface ImportOptions extends PlaceDefaults {
  /** Only report what would be done. */
  dryRun: boolean;
  /** Stops the import between two slices. */
  signal: AbortSignal;
}

export interface ReadRecord {
  said: Said;
  record: EntryRecord & { id: string };
}

/** The result for a refused record. Other errors are bugs or database problems, and are thrown again. */
export function failed(said: Said, error: unknown, title: string | null = null): Imported {
  if (!(error instanceof AppError)) throw error;
  const { code, message } = error;
  const { source, line } = said;
  return { source, line, id: null, title, action: 'failed', error: { code, message } };
}
