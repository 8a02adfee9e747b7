import type { Batch } from '../batches/batch.js';
import type { Standing } from '../upload/look-up-file.js';
import type { GoneDocument } from '../review/prune-documents.js';

/** How a batch stands, as far as a run over many files tells. */
export type BatchState = Pick<
  Batch,
  | 'id'
  | 'status'
  | 'totalPages'
  | 'processedPages'
  | 'totalChunks'
  | 'processedChunks'
  | 'pagesWithoutText'
  | 'diff'
  | 'error'
  | 'visibility'
  | 'hiddenTextTotal'
  | 'visibilityNarrowed'
  | 'visibilityKept'
>;

export interface FileStanding {
  standing: Standing;
  /** The batch that an upload of these bytes is answered with; undefined where it makes one. */
  batch: BatchState | undefined;
}

/** What a completed batch holds, once what was to be approved is. */
export interface Review {
  entries: number;
  approved: number;
  /** Drafts that were not approved, since a person had taken their text back. */
  takenBack: number;
  /** Pages that hold text which nobody sees, and which is in no entry. */
  pagesWithHiddenText: number[];
}

export interface FileToSend {
  fileName: string;
  bytes: Uint8Array;
  fileSha256: string;
  /** Where the file lies; null where it lies nowhere. */
  path: string | null;
}

export interface Pruning {
  /** What lay below the folders, and lies nowhere now; `present` are batches whose bytes were seen. */
  findGone(folders: readonly string[], present: ReadonlySet<string>): Promise<GoneDocument[]>;
  /** False where somebody ingested the document anew since. */
  prune(document: GoneDocument): Promise<boolean>;
}

/**
 * What files are ingested into, chosen and checked: the database at hand, or a server far away. Both refuse with the
 * codes of the API.
 */
export interface IngestTarget {
  /** No file may have more. */
  readonly maxFileMb: number;
  /** The host name of the entries, null without one, and whether an app claims it yet. */
  readonly domain: string | null;
  readonly domainIsRegistered: boolean;
  /** Names that files were ingested under before, by their paths. */
  namesOf(paths: readonly string[]): Promise<Map<string, string>>;
  lookUp(file: Omit<FileToSend, 'bytes' | 'path'>): Promise<FileStanding>;
  send(file: FileToSend): Promise<BatchState>;
  /** Starts a failed batch again, unless somebody else just did; answers how it stands then. */
  retry(batchId: string): Promise<BatchState>;
  /** The states of a batch, until it is completed or failed, or `signal` says that nobody listens. */
  watch(batchId: string, signal: AbortSignal): AsyncIterable<BatchState>;
  review(batch: BatchState, approve: boolean): Promise<Review>;
  /** Told that a file of a batch was found where it was not read from: it may have been moved. */
  follow?(batchId: string, path: string): Promise<void>;
  /** Takes out what was ingested from files that are gone; undefined where that is not known of. */
  readonly pruning?: Pruning;
  /** Lets go of what it holds; files under way are released. */
  close(): Promise<void>;
}
