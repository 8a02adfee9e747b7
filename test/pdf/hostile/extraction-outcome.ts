import type { DocumentKind } from '../../../src/documents/document.js';
import { createDocumentExtractor } from '../../../src/documents/extract-document.js';
import type { ExtractOptions } from '../../../src/documents/threads/extract-pdf.js';
import { AppError } from '../../../src/platform/errors.js';

export const tightLimits: ExtractOptions = {
  maxPages: 2000,
  pageTimeoutMs: 1000,
  fileTimeoutMs: 2000,
  sectionMaxChars: 4000,
  sectionMinChars: 200,
};
/** A scanned page takes seconds, on a busy machine too. */
const patientLimits: ExtractOptions = {
  ...tightLimits,
  pageTimeoutMs: 5000,
  fileTimeoutMs: 8000,
  ocr: 'auto',
};

export interface JudgeOptions {
  workers: number;
  workerMemoryMb: number;
  /** Reads pages from their pictures too. */
  ocr?: 'auto';
}

/** The codes with which a file may be refused. */
const documented = new Set([
  'not_a_pdf',
  'encrypted',
  'damaged',
  'no_extractable_text',
  'too_many_pages',
  'timeout',
  'out_of_memory',
]);
/** Not a speed limit: a file that has not ended by then never will, even on a busy machine. */
const graceMs = 60_000;
/** Memory of the threads beyond their limits: their own, and their growth between two samples. */
const graceMb = 500;

export interface Outcome {
  /** `completed` or a code. */
  end: string;
  milliseconds: number;
  grownMb: number;
  /** The broken promise, if there is one. */
  fault: string | undefined;
}

/** Reads hostile files one after the other with tight limits, and reports whether each ended as promised. */
export function createJudge(options: JudgeOptions = { workers: 2, workerMemoryMb: 160 }): {
  judge(file: Uint8Array, kind?: DocumentKind): Promise<Outcome>;
  close(): Promise<void>;
} {
  const extractor = createDocumentExtractor(options);
  const limits = options.ocr === undefined ? tightLimits : patientLimits;
  const mostMb = options.workers * options.workerMemoryMb + graceMb;
  return {
    async judge(file, kind = 'pdf') {
      const before = process.memoryUsage().rss;
      let peak = before;
      const sampling = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss());
      }, 20);
      const began = performance.now();
      let late: NodeJS.Timeout | undefined;
      const overdue = new Promise<string>((resolve) => {
        late = setTimeout(() => resolve('never'), limits.fileTimeoutMs + graceMs);
      });
      const ended = extractor.extract(file, { kind, ...limits }, { onPages: () => undefined }).then(
        () => 'completed',
        (error: unknown) =>
          error instanceof AppError && documented.has(error.code) ? error.code : String(error),
      );
      const end = await Promise.race([ended, overdue]);
      clearInterval(sampling);
      clearTimeout(late);
      const grownMb = Math.round((peak - before) / 1024 / 1024);
      const outcome = { end, milliseconds: Math.round(performance.now() - began), grownMb };
      return { ...outcome, fault: faultOf(outcome, mostMb) };
    },
    close: () => extractor.close(),
  };
}

function faultOf({ end, grownMb }: Omit<Outcome, 'fault'>, mostMb: number): string | undefined {
  if (end === 'never') return 'it did not end within its limits';
  if (end !== 'completed' && !documented.has(end)) return `it ended with ${end}`;
  return grownMb > mostMb ? `it took ${grownMb} MB, and ${mostMb} are allowed` : undefined;
}
