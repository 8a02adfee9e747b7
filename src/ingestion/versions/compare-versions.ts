import { groupBy } from '../../platform/group-by.js';
import { createHash } from 'node:crypto';
import type { Entry } from '../../knowledge/entry.js';
import type { Place } from '../../documents/document.js';
import { stripNumber } from '../../sections/titles.js';
import { titleSeparator } from '../../platform/text/heading.js';
import { pairSimilar, type TitledText, type Versions } from './pair-similar.js';

/**
 * A fingerprint for each section's text: SHA-256 in hexadecimal, independent of white space and of heading numbers,
 * which change when a chapter is inserted. Repeated texts get different fingerprints, so that each of their entries is
 * kept.
 */
export function fingerprintSections(sections: readonly TitledText[]): string[] {
  const seen = new Map<string, number>();
  return sections.map(({ title, content }) => {
    const text = JSON.stringify([
      plain(withoutPartName(title.replace(ordinal, ''), content)),
      plain(withoutNumbers(content)),
    ]);
    const before = seen.get(text) ?? 0;
    seen.set(text, before + 1);
    const named = before === 0 ? text : `${text} ${before}`;
    return createHash('sha256').update(named).digest('hex');
  });
}

/** The number that distinguishes sections with equal titles; it changes when another section comes before. */
const ordinal = / \(\d+\)$/u;

/**
 * A title without its last part, if that is only a sentence of the text: it distinguishes sections of one title, and
 * changes when another one comes before.
 */
function withoutPartName(title: string, content: string): string {
  const at = title.lastIndexOf(titleSeparator);
  if (at < 0) return title;
  const words = title.slice(at + titleSeparator.length).replace(/…$/u, '');
  const isIn = (line: string) => line.includes(words);
  const lines = content.split('\n');
  const isHeading = (line: string) => line.startsWith('#');
  const isPartName = lines.some((line) => !isHeading(line) && isIn(line));
  return isPartName && !lines.some((line) => isHeading(line) && isIn(line))
    ? title.slice(0, at)
    : title;
}

function withoutNumbers(content: string): string {
  return content.replaceAll(
    /^(#{1,6} )(.+)$/gmu,
    (_, mark: string, heading: string) => mark + stripNumber(heading, true),
  );
}

function plain(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
}

/** A section of the document in the present reading. */
export interface Section extends TitledText, Place {
  sha256: string;
}

export interface Comparison {
  /** Sections without an entry or draft, by index. */
  missing: number[];
  /** Earlier entries whose sections are unchanged, with the sections' indexes: several if a person merged them. */
  kept: { entry: Entry; sections: number[] }[];
  /**
   * Drafts of this reading that are new versions of an entry or draft. `replaces` is null for an earlier draft that
   * nobody approved or edited.
   */
  changed: { draft: Entry; earlier: Entry; replaces: Entry | null }[];
  /** Drafts of this reading without an earlier version. */
  added: Entry[];
  /** Entries whose text is no longer in the document. */
  gone: Entry[];
  /** Outdated drafts of earlier readings that nobody approved or edited. */
  outdated: Entry[];
  /** Outdated drafts whose text a person wrote. */
  outdatedEdits: Entry[];
}

/** The text that was read for an entry's section; for older entries, their present text. */
function sourceOf(entry: Entry): string {
  return entry.sourceSha256 ?? fingerprintSections([entry])[0] ?? '';
}

/** The same of all sections that a person merged into the entry, its own first. */
function sourcesOf(entry: Entry): string[] {
  return [sourceOf(entry), ...(entry.mergedSha256s?.split(' ') ?? [])];
}

/** True when an entry belongs to an operator: published, or unpublished by one. Others are a reading's drafts. */
export function stands(entry: Entry): boolean {
  return entry.wasPublished;
}

/** Compares the present reading of a document with all its entries, of this reading (`batchId`) and earlier ones. */
export async function compareVersions(
  batchId: string,
  sections: readonly Section[],
  entries: readonly Entry[],
): Promise<Comparison> {
  const own = entries.filter((entry) => entry.batchId === batchId);
  const others = entries.filter((entry) => entry.batchId !== batchId);
  const bySource = new Map(sections.map((section, index) => [section.sha256, index]));
  const kept = others.flatMap((entry) => {
    const found = sourcesOf(entry).flatMap((source) => bySource.get(source) ?? []);
    // If one of the merged sections has changed, all of them are read anew: a draft of that one alone would lose the rest.
    return found.length < sourcesOf(entry).length ? [] : [{ entry, sections: found }];
  });
  const done = new Set([...own, ...kept.map(({ entry }) => entry)].flatMap(sourcesOf));
  const missing = sections.flatMap(({ sha256 }, index) => (done.has(sha256) ? [] : [index]));

  // An entry whose next version is among the kept drafts already has it.
  const settled = new Set(kept.flatMap(({ entry }) => [entry.id, entry.replacesId]));
  const left = others.filter((entry) => !settled.has(entry.id));
  const candidates = left.filter((entry) => stands(entry) || entry.replacesId === null);
  // Unchanged sections, too, tell what most of the document says.
  const whole = {
    earlier: [...groupBy(others, sourceOf).values()].map(textOf),
    later: sections,
  };
  const changed = await pairEntries(candidates, own, whole, bySource);
  const paired = new Set(changed.flatMap(({ draft, earlier }) => [draft.id, earlier.id]));
  // Without any common text, it is another document of the same name, and the earlier drafts stay.
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

/** Pairs entries section by section; within a section with several entries, by similarity. */
async function pairEntries(
  candidates: readonly Entry[],
  own: readonly Entry[],
  whole: Versions,
  bySource: ReadonlyMap<string, number>,
): Promise<{ draft: Entry; earlier: Entry }[]> {
  const before = [...groupBy(candidates, sourceOf).values()];
  const drafts = own.filter((entry) => !stands(entry));
  const after = [...groupBy(drafts, sourceOf)];
  const read = after.map(
    ([source, made]) => whole.later[bySource.get(source) ?? -1] ?? textOf(made),
  );
  const found: { draft: Entry; earlier: Entry }[] = [];
  for (const [to, from] of await pairSimilar(before.map(textOf), read, whole)) {
    const made = after[to]?.[1] ?? [];
    const earlier = before[from] ?? [];
    // If the section has one entry, then and now, they are a pair, however different the text.
    const isOneToOne = made.length === 1 && earlier.length === 1;
    const pairs = isOneToOne ? new Map([[0, 0]]) : await pairSimilar(earlier, made, whole);
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
