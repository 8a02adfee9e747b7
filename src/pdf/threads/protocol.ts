import type { ErrorCode } from '../../platform/errors.js';
import type { HiddenText } from '../layout/page.js';
import type { OcrMode } from '../ocr/ocr-folder.js';
import type { PageReading } from '../ocr/choose-pages.js';
import type { Recognition } from '../ocr/page-recognizer.js';

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

export type ToThread =
  | { kind: 'task'; id: number; task: PdfTask }
  | { kind: 'forget'; file: number };

/** Each message reports the thread's bytes of heap and buffers. */
export type FromThread = { id: number; memory: number } & (
  | { kind: 'page'; page: number; isRead: boolean }
  | { kind: 'done'; result: PdfResult }
  | {
      kind: 'failed';
      code: ErrorCode;
      message: string;
      page: number | undefined;
      /** False when the second reader may succeed. */
      understood: boolean;
    }
);
