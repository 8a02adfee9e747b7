import type { Entry } from '../../knowledge/entry.js';
import { fingerprintSections, type TitledText } from './fingerprint.js';
import { pairSimilar } from './pair-similar.js';

/** A section of the document as it was read now. */
export interface Section extends TitledText {
  sha256: string;
  pageFrom: number;
  pageTo: number;
}

export interface Comparison {
  /** Sections that neither an entry stands for nor a draft has been made of: by index. */
  missing: number[];
  /** Entries of before whose section is in the document as it was, by the index of the section. */
  kept: { entry: Entry; section: number }[];
  /** Drafts of this reading that are new versions of something. Null: of a draft that nobody approved or edited. */
  changed: { draft: Entry; earlier: Entry; replaces: Entry | null }[];
  /** Drafts of this reading that are versions of nothing. */
  added: Entry[];
  /** Entries that stand, and of which the document says nothing any more. */
  gone: Entry[];
  /** Drafts of earlier readings that are outdated now, and that nobody approved or edited. */
  outdated: Entry[];
  /** The same of drafts whose text is a person's work. */
  outdatedEdits: Entry[];
}

/** What was read of the section that an entry stands for; of entries from before that was kept, what they say. */
export function sourceOf(entry: Entry): string {
  return entry.sourceSha256 ?? fingerprintSections([entry])[0] ?? '';
}

/** Whether an entry is an operator's: published, or taken back by one. Others are drafts that a reading left. */
export function stands(entry: Entry): boolean {
  return entry.wasPublished;
}

/** Compares what was read of a document with all its entries: those of this reading (`batchId`) and of before. */
export async function compareVersions(
  batchId: string,
  sections: readonly Section[],
  entries: readonly Entry[],
): Promise<Comparison> {
  const own = entries.filter((entry) => entry.batchId === batchId);
  const others = entries.filter((entry) => entry.batchId !== batchId);
  const bySource = new Map(sections.map((section, index) => [section.sha256, index]));
  const kept = others.flatMap((entry) => {
    const section = bySource.get(sourceOf(entry));
    return section === undefined ? [] : [{ entry, section }];
  });
  const done = new Set([...own, ...others].map(sourceOf));
  const missing = sections.flatMap(({ sha256 }, index) => (done.has(sha256) ? [] : [index]));

  // An entry whose next version waits among the kept drafts has it already.
  const settled = new Set(kept.flatMap(({ entry }) => [entry.id, entry.replacesId]));
  const left = others.filter((entry) => !settled.has(entry.id));
  const candidates = left.filter((entry) => stands(entry) || entry.replacesId === null);
  const changed = await pairEntries(candidates, own, sections, bySource);
  const paired = new Set(changed.flatMap(({ draft, earlier }) => [draft.id, earlier.id]));
  // A file that shares nothing with what was read before is another document of the same name: its drafts stay.
  const isVersion = kept.length + changed.length > 0;
  const outdated = isVersion ? left.filter((entry) => !stands(entry)) : [];
  return {
    missing,
    kept,
    changed: changed.map(({ draft, earlier }) => ({
      draft,
      earlier,
      replaces: stands(earlier) || earlier.edited ? earlier : null,
    })),
    added: own.filter((entry) => !paired.has(entry.id)),
    gone: left.filter((entry) => stands(entry) && !paired.has(entry.id)),
    outdated: outdated.filter((entry) => !entry.edited),
    outdatedEdits: outdated.filter((entry) => entry.edited),
  };
}

/** Section by section, and where a section has several entries, those of it among each other. */
async function pairEntries(
  candidates: readonly Entry[],
  own: readonly Entry[],
  sections: readonly Section[],
  bySource: ReadonlyMap<string, number>,
): Promise<{ draft: Entry; earlier: Entry }[]> {
  const before = [...groupBy(candidates, sourceOf).values()];
  const drafts = own.filter((entry) => !stands(entry));
  const after = [...groupBy(drafts, sourceOf)];
  const read = after.map(([source, made]) => sections[bySource.get(source) ?? -1] ?? textOf(made));
  const found: { draft: Entry; earlier: Entry }[] = [];
  for (const [to, from] of await pairSimilar(before.map(textOf), read)) {
    const made = after[to]?.[1] ?? [];
    const earlier = before[from] ?? [];
    // A section that has one entry, then as now, is that entry's, however differently it is told.
    const isOneToOne = made.length === 1 && earlier.length === 1;
    const pairs = isOneToOne ? new Map([[0, 0]]) : await pairSimilar(earlier, made);
    for (const [draftAt, earlierAt] of pairs) {
      const [draft, entry] = [made[draftAt], earlier[earlierAt]];
      if (draft !== undefined && entry !== undefined) found.push({ draft, earlier: entry });
    }
  }
  return found;
}

function textOf(entries: readonly Entry[]): TitledText {
  const title = entries[0]?.sourceTitle ?? entries[0]?.title ?? '';
  return { title, content: entries.map((entry) => entry.content).join('\n') };
}

function groupBy(entries: readonly Entry[], key: (entry: Entry) => string): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(key(entry), [...(groups.get(key(entry)) ?? []), entry]);
  return groups;
}
