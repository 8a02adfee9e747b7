import type { DocumentKind } from '../../documents/document.js';
import type { Batch } from '../batches/batch.js';
import type { Standing } from '../upload/look-up-file.js';
import type { GoneDocument } from '../review/prune-documents.js';

/** The state of a batch, as far as a run over many files shows it. */
export type BatchState = Pick<
  Batch,
  | 'id'
  | 'source'
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
  | 'createdAt'
  | 'updatedAt'
>;

export interface FileStanding {
  standing: Standing;
  /** The existing batch that an upload of these bytes returns; undefined when the upload creates one. */
  batch: BatchState | undefined;
  /** The file of the last version, if it is still there at another path: the two may be different documents. */
  alsoAt: string | null;
}

/** The result for a file that was sent. */
export interface Sent {
  batch: BatchState;
  /** True when another run has it: what came of the file is that run's to report. */
  isRepeated: boolean;
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
  /** What it is by its content. */
  kind: DocumentKind;
  /** The path of the file; null when it no longer exists anywhere. */
  path: string | null;
  /** The folder that it was found in, as it was named; null when that says nothing. */
  folder: string | null;
  /** The address of a page. */
  sourceUrl?: string;
}

/** The findings of a run that show which documents are gone. */
export interface FoundDocuments {
  /** The named folders, absolute. */
  folders: readonly string[];
  /** The names of all files, also of those that patterns left out. */
  names: ReadonlySet<string>;
  /** The batches whose bytes were found. */
  present: ReadonlySet<string>;
}

export interface Pruning {
  /**
   * The documents without a file now: those of the stated source that have none of the names, else those that came from
   * below the folders and whose path is gone.
   */
  findGone(found: FoundDocuments): Promise<GoneDocument[]>;
  /** Errors: `not_found` when it is gone already; `conflict` when it was ingested again since. */
  prune(document: GoneDocument): Promise<void>;
}

/** The validated target of an ingestion: the local database or a remote server. Both refuse with codes of the API. */
export interface IngestTarget {
  /** The largest file. */
  readonly maxFileMb: number;
  /** The host name of the entries (null without one), and whether an app has registered it. */
  readonly domain: string | null;
  readonly domainIsRegistered: boolean;
  /** The source that was stated for the files; null without one. */
  readonly source: string | null;
  /** The names under which files were ingested earlier, by path. */
  namesOf(paths: readonly string[]): Promise<Map<string, string>>;
  lookUp(file: Omit<FileToSend, 'bytes' | 'kind'>): Promise<FileStanding>;
  send(file: FileToSend): Promise<Sent>;
  /** Retries a failed batch, unless somebody else just did. */
  retry(batchId: string): Promise<Sent>;
  /** The states of a batch after this one until it is completed or failed, or `signal` aborts. */
  watch(batch: BatchState, signal: AbortSignal): AsyncIterable<BatchState>;
  review(batch: BatchState, approve: boolean): Promise<Review>;
  /** Called when a batch's file was found at another path: it may have been moved. */
  follow?(batchId: string, path: string): Promise<void>;
  /** Removes documents whose files are gone; undefined when unsupported. */
  readonly pruning?: Pruning;
  /** Releases its resources; files under way are given back. */
  close(): Promise<void>;
}
