import type { ErrorCode } from '../../platform/errors.js';
import type { HiddenText } from '../../pdf/layout/page.js';
import type { OcrMode } from '../../pdf/ocr/ocr-folder.js';
import type { PageReading } from '../../pdf/ocr/choose-pages.js';
import type { Recognition } from '../../pdf/ocr/page-recognizer.js';

/** The product's own reader, or the second one, for files that the first does not understand. */
export type ReaderName = 'own' | 'pdf-parse';

export interface PdfSource {
  file: number;
  bytes: SharedArrayBuffer;
  reader: ReaderName;
}

/**
 * The messages between main thread and PDF threads. Pages travel as serialised buffers, which the main thread forwards
 * without deserialising: that would block the server.
 */
export type PdfTask =
  | ({ kind: 'open' } & PdfSource)
  | ({ kind: 'read'; from: number; to: number; ocr: OcrMode } & PdfSource)
  | ({ kind: 'recognize' } & PageReading & PdfSource)
  | ({ kind: 'outline' } & PdfSource)
  | {
      kind: 'assemble';
      pages: Uint8Array[];
      outline: Uint8Array;
      sectionMaxChars: number;
      sectionMinChars: number;
    };

/** A file of another kind, which one thread reads as a whole. */
export interface DocumentTask {
  kind: 'document';
  file: number;
  bytes: SharedArrayBuffer;
  documentKind: string;
  /** A title for want of a better one. */
  fileName: string;
  /** Of a page, where it comes from. */
  address?: string;
  sectionMaxChars: number;
  sectionMinChars: number;
}

export type Task = PdfTask | DocumentTask;

export interface DocumentResults {
  /** Serialised sections each, in order, and the hidden text. */
  document: { batches: Uint8Array[]; hidden: HiddenText[] };
}

export interface PdfResults {
  open: { pageCount: number };
  /** Serialised PageLines[]. */
  read: {
    pages: Uint8Array;
    withoutText: number[];
    /** Pages that the reader could not read; they have no text. */
    notUnderstood: number[];
    hidden: HiddenText[];
    /** Pages whose pictures recognition may read. */
    pictured: PageReading[];
  };
  /** Serialised PageLines[], of one page. */
  recognize: Recognition;
  /** Serialised bookmarks and title. */
  outline: { outline: Uint8Array };
  /** Serialised PdfSection[] each, in order. */
  assemble: { batches: Uint8Array[]; letters: number };
}

export type PdfResult = PdfResults[PdfTask['kind']];

export type TaskResults = PdfResults & DocumentResults;

export type TaskResult = TaskResults[Task['kind']];

export type ToThread = { kind: 'task'; id: number; task: Task } | { kind: 'forget'; file: number };

/** What each thread is given at its start. */
export interface ThreadData {
  /** 1 when the thread must end: it then creates no more zlib streams. */
  ending: Int32Array;
  /** The cells of Progress. */
  progress: Int32Array;
}

/**
 * How far a thread is with its task, in memory that it shares with the pool. A message for each page took a twelfth of
 * all processor time: each wakes up the main thread.
 */
export class Progress {
  constructor(readonly cells: Int32Array = new Int32Array(new SharedArrayBuffer(12))) {}

  clear(): void {
    this.cells.fill(0);
  }

  /** @param isRead false for a page that text recognition still has to read */
  addPage(isRead: boolean, memory: number): void {
    Atomics.store(this.cells, 2, memory / 1024);
    if (isRead) Atomics.add(this.cells, 1, 1);
    Atomics.add(this.cells, 0, 1);
  }

  /** The finished pages of the task, how many of them are read, and the thread's bytes of heap and buffers. */
  load(): { finished: number; read: number; memory: number } {
    const finished = Atomics.load(this.cells, 0);
    const read = Atomics.load(this.cells, 1);
    return { finished, read, memory: Atomics.load(this.cells, 2) * 1024 };
  }
}

/** Each message reports the thread's bytes of heap and buffers. */
export type FromThread = { id: number; memory: number } & (
  | { kind: 'done'; result: TaskResult }
  | {
      kind: 'failed';
      code: ErrorCode;
      message: string;
      page: number | undefined;
      /** False when the second reader may succeed. */
      understood: boolean;
    }
);
