import type { ErrorCode } from '../../platform/errors.js';
import type { HiddenText } from '../layout/page.js';

/**
 * What main thread and PDF threads say to each other. Pages travel as serialised buffers that the main thread hands
 * on unopened: turning them into objects there would hold up the server.
 */
export type PdfTask =
  | { kind: 'open'; file: number; bytes: SharedArrayBuffer }
  | { kind: 'read'; file: number; bytes: SharedArrayBuffer; from: number; to: number }
  | { kind: 'outline'; file: number; bytes: SharedArrayBuffer }
  | {
      kind: 'assemble';
      pages: Uint8Array[];
      outline: Uint8Array;
      sectionMaxChars: number;
      sectionMinChars: number;
    };

/** The result of each kind of task. */
export interface PdfResults {
  open: { pageCount: number };
  /** Serialised PageLines[]. */
  read: { pages: Uint8Array; withoutText: number[]; hidden: HiddenText[] };
  /** Serialised bookmarks and title. */
  outline: { outline: Uint8Array };
  /** Serialised PdfSection[] each, in order. */
  assemble: { batches: Uint8Array[]; letters: number };
}

export type PdfResult = PdfResults[PdfTask['kind']];

export type ToThread =
  { kind: 'task'; id: number; task: PdfTask } | { kind: 'forget'; file: number };

/** Each sign of life says how many bytes of heap and buffers the thread has. */
export type FromThread = { id: number; memory: number } & (
  | { kind: 'page'; page: number }
  | { kind: 'done'; result: PdfResult }
  | { kind: 'failed'; code: ErrorCode; message: string; page: number | undefined }
);
