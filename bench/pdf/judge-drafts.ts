import type { Measure } from '../measure.js';
import { readDocuments } from './documents.js';
import { draftsOf, readDrafts, type Draft } from './drafts.js';
import type { ReadFile } from './read-files.js';
import { sampleDrafts } from './sample-drafts.js';
import { findJudged, measureFitness, readVerdicts } from './verdicts.js';
import { requirePdftoppm, writeBook, type BookEntry } from './write-book.js';

export interface BookChoice {
  /** Of the HTML file. */
  path: string;
  /** How many drafts are drawn; undefined means all. */
  sample: number | undefined;
  seed: number;
  /** Only judged drafts whose text changed. */
  anew: boolean;
}

/** Makes the book of the folders' drafts. */
export async function makeBook(
  folders: readonly string[],
  { anew, path, sample, seed }: BookChoice,
): Promise<void> {
  await requirePdftoppm();
  const drafts = await readDrafts(folders);
  const entries = anew
    ? await changedEntries(drafts)
    : drafts.map((draft) => ({ draft, before: [] }));
  const drawn = sample === undefined ? entries : sampleEntries(entries, sample, seed);
  await writeBook(drawn, path);
  console.log(`${drawn.length} of ${drafts.length} drafts are in ${path}`);
}

/** Each draft once, with the verdicts on all drafts that it stands for now. */
async function changedEntries(drafts: readonly Draft[]): Promise<BookEntry[]> {
  const entries = new Map<Draft, BookEntry>();
  for (const { changed, draft, verdict } of findJudged(await readVerdicts(), drafts)) {
    if (!changed) continue;
    const before = entries.get(draft)?.before ?? [];
    entries.set(draft, { draft, before: [...before, verdict] });
  }
  return [...entries.values()];
}

function sampleEntries(entries: readonly BookEntry[], count: number, seed: number): BookEntry[] {
  const byDraft = new Map(entries.map((entry) => [entry.draft, entry]));
  return sampleDrafts([...byDraft.keys()], count, seed).flatMap(
    (draft) => byDraft.get(draft) ?? [],
  );
}

/** The shares of judged drafts that are fit to publish, of the files that were read. */
export async function measureJudged(files: readonly ReadFile[]): Promise<Measure[]> {
  const documents = await readDocuments();
  const drafts: Draft[] = [];
  for (const { file, ours } of files) {
    if (ours.extracted !== undefined)
      drafts.push(...(await draftsOf(file, ours.extracted, documents)));
  }
  return measureFitness(findJudged(await readVerdicts(), drafts));
}
