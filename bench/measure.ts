export type Row = Record<string, string | number>;

/** One measured thing: a table of rows. */
export interface Measure {
  name: string;
  /** What the columns mean, and what they are to be held against. */
  about: string;
  rows: Row[];
}

/** What a person should look at, of one file and one kind. */
export interface Examples {
  file: string;
  kind: string;
  examples: string[];
}

export interface BenchOptions {
  /** Folders whose PDFs are read. */
  pdfFolders: string[];
  /** How much of the data of the backoffice is made and measured, up to 1. */
  share: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Two decimals: more would pretend to know what the next run shows otherwise. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The value that so many of a hundred do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return round(sorted[Math.ceil((sorted.length * share) / 100) - 1] ?? 0);
}
