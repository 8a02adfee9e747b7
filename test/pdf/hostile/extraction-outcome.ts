import { createPdfExtractor, type ExtractOptions } from '../../../src/pdf/threads/extract-pdf.js';
import { AppError } from '../../../src/platform/errors.js';

export const tightLimits: ExtractOptions = {
  maxPages: 2000,
  pageTimeoutMs: 1000,
  fileTimeoutMs: 2000,
  sectionMaxChars: 4000,
  sectionMinChars: 200,
};
const workerMemoryMb = 160;
const workers = 2;

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
/** Memory of the two threads beyond their limits: their own, and their growth between two samples. */
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
export function createJudge(): {
  judge(file: Uint8Array): Promise<Outcome>;
  close(): Promise<void>;
} {
  const extractor = createPdfExtractor({ workers, workerMemoryMb });
  return {
    async judge(file) {
      const before = process.memoryUsage().rss;
      let peak = before;
      const sampling = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss());
      }, 20);
      const began = performance.now();
      let late: NodeJS.Timeout | undefined;
      const overdue = new Promise<string>((resolve) => {
        late = setTimeout(() => resolve('never'), tightLimits.fileTimeoutMs + graceMs);
      });
      const ended = extractor.extract(file, tightLimits, { onPages: () => undefined }).then(
        () => 'completed',
        (error: unknown) =>
          error instanceof AppError && documented.has(error.code) ? error.code : String(error),
      );
      const end = await Promise.race([ended, overdue]);
      clearInterval(sampling);
      clearTimeout(late);
      const grownMb = Math.round((peak - before) / 1024 / 1024);
      const outcome = { end, milliseconds: Math.round(performance.now() - began), grownMb };
      return { ...outcome, fault: faultOf(outcome) };
    },
    close: () => extractor.close(),
  };
}

function faultOf({ end, grownMb }: Omit<Outcome, 'fault'>): string | undefined {
  if (end === 'never') return 'it did not end within its limits';
  if (end !== 'completed' && !documented.has(end)) return `it ended with ${end}`;
  const most = workers * workerMemoryMb + graceMb;
  return grownMb > most ? `it took ${grownMb} MB, and ${most} are allowed` : undefined;
}
