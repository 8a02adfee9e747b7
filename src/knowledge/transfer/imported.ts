import { AppError, type ErrorCode } from '../../platform/errors.js';
import type { EntryRecord } from './entry-record.js';
import type { PlaceDefaults } from './find-places.js';
import type { Said } from './read-sources.js';

/** What became of one record. */
export interface Imported {
  source: string;
  line: number | null;
  /** The entry's uuid; null where nothing could be made of the record. */
  id: string | null;
  title: string | null;
  action: 'create' | 'update' | 'unchanged' | 'failed';
  error: { code: ErrorCode; message: string } | null;
}

export interface ImportOptions extends PlaceDefaults {
  /** Only say what would be done. */
  dryRun: boolean;
  /** Ends the import between two slices. */
  signal: AbortSignal;
}

/** A record that is well in itself. */
export interface ReadRecord {
  said: Said;
  record: EntryRecord & { id: string };
}

/** A record that was refused. Any other error is a bug, or a database in trouble, and goes on up. */
export function failed(said: Said, error: unknown, title: string | null = null): Imported {
  if (!(error instanceof AppError)) throw error;
  const { code, message } = error;
  const { source, line } = said;
  return { source, line, id: null, title, action: 'failed', error: { code, message } };
}
