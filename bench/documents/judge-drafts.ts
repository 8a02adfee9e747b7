import type { Measure } from '../measure.js';
import { requirePdftoppm } from './draft-source.js';
import { readDrafts, type Draft } from './drafts.js';
import { sampleDrafts } from './sample-drafts.js';
import { findJudged, measureFitness, readVerdicts } from './verdicts.js';
import { writeBook, type BookEntry } from './write-book.js';

export interface BookChoice {
  /** Of the HTML file. */
  path: string;
  /** How many drafts are drawn; undefined means all. */
  sample: number | undefined;
  seed: number;
  /** Only judged drafts whose text changed. */
  anew: boolean;
  /** Only documents of this kind. */
  kind: string | undefined;
}

/** Makes the book of the folders' drafts. */
export async function makeBook(
  folders: readonly string[],
  { anew, kind, path, sample, seed }: BookChoice,
): Promise<void> {
  await requirePdftoppm();
  const all = await readDrafts(folders);
  const drafts = all.filter((draft) => kind === undefined || draft.kind === kind);
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

/** The shares of judged drafts that are fit to publish, of the documents in the folders. */
export async function measureJudged(folders: readonly string[]): Promise<Measure[]> {
  return measureFitness(findJudged(await readVerdicts(), await readDrafts(folders)));
}
