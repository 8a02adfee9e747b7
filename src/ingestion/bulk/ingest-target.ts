import type { Batch } from '../batches/batch.js';
import type { Standing } from '../upload/look-up-file.js';
import type { GoneDocument } from '../review/prune-documents.js';

/** The state of a batch, as far as a run over many files shows it. */
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
  /** The existing batch that an upload of these bytes returns; undefined when the upload creates one. */
  batch: BatchState | undefined;
}

/** The content of a completed batch, after the requested approval. */
export interface Review {
  entries: number;
  approved: number;
  /** Drafts that were not approved because a person had unpublished their text. */
  takenBack: number;
  /** Pages with hidden text, which is in no entry. */
  pagesWithHiddenText: number[];
}

export interface FileToSend {
  fileName: string;
  bytes: Uint8Array;
  fileSha256: string;
  /** The path of the file; null when it no longer exists anywhere. */
  path: string | null;
}

export interface Pruning {
  /** Documents that came from below the folders and have no file now. `present` are batches whose bytes were found. */
  findGone(folders: readonly string[], present: ReadonlySet<string>): Promise<GoneDocument[]>;
  /** Returns false when somebody has ingested the document again since. */
  prune(document: GoneDocument): Promise<boolean>;
}

/** The validated target of an ingestion: the local database or a remote server. Both refuse with codes of the API. */
export interface IngestTarget {
  /** The largest file. */
  readonly maxFileMb: number;
  /** The host name of the entries (null without one), and whether an app has registered it. */
  readonly domain: string | null;
  readonly domainIsRegistered: boolean;
  /** The names under which files were ingested earlier, by path. */
  namesOf(paths: readonly string[]): Promise<Map<string, string>>;
  lookUp(file: Omit<FileToSend, 'bytes' | 'path'>): Promise<FileStanding>;
  send(file: FileToSend): Promise<BatchState>;
  /** Retries a failed batch, unless somebody else just did; returns its state. */
  retry(batchId: string): Promise<BatchState>;
  /** The states of a batch until it is completed or failed, or `signal` aborts. */
  watch(batchId: string, signal: AbortSignal): AsyncIterable<BatchState>;
  review(batch: BatchState, approve: boolean): Promise<Review>;
  /** Called when a batch's file was found at another path: it may have been moved. */
  follow?(batchId: string, path: string): Promise<void>;
  /** Removes documents whose files are gone; undefined when unsupported. */
  readonly pruning?: Pruning;
  /** Releases its resources; files under way are given back. */
  close(): Promise<void>;
}
