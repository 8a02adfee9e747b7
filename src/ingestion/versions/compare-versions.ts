import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Entry } from '../../knowledge/entry.js';
import { stripNumber } from '../../pdf/sections/titles.js';

interface TitledText {
  title: string;
  content: string;
}

/**
 * A fingerprint for each section's text: SHA-256 in hexadecimal, independent of white space and of heading numbers,
 * which change when a chapter is inserted. Repeated texts get different fingerprints, so that each of their entries is
 * kept.
 */
export function fingerprintSections(sections: readonly TitledText[]): string[] {
  const seen = new Map<string, number>();
  return sections.map(({ title, content }) => {
    const text = JSON.stringify([
      plain(title.replace(ordinal, '')),
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
export interface Section extends TitledText {
  sha256: string;
  pageFrom: number;
  pageTo: number;
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
  const changed = await pairEntries(candidates, own, sections, bySource);
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
    // If the section has one entry, then and now, they are a pair, however different the text.
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

/** The share of word trigrams from which two texts are versions of one. Below it, they only share a style. */
const minimumShare = 0.3;
/** The weight of an equal title path, beside the share of the text. A text that moved completely outweighs it. */
const titleWeight = 0.5;
const textsPerBreath = 20;
/** A phrase or title with more occurrences identifies nothing, and would make every text a candidate. */
const maximumOccurrences = 40;

/**
 * Pairs texts with their earlier versions, each at most once, the most similar first. A text is a version of another
 * with its title path, or with enough of its word trigrams. Returns indexes, later to earlier.
 */
export async function pairSimilar(
  earlier: readonly TitledText[],
  later: readonly TitledText[],
): Promise<Map<number, number>> {
  const before = await eachWithBreaths(earlier, featuresOf);
  const after = await eachWithBreaths(later, featuresOf);
  const byPhrase = new Map<string, number[]>();
  const byTitle = new Map<string, number[]>();
  before.forEach(({ phrases, title }, index) => {
    for (const phrase of phrases) add(byPhrase, phrase, index);
    add(byTitle, title, index);
  });
  const likely = await eachWithBreaths(after, (text, to) => {
    const candidates = new Set(near(byTitle.get(text.title) ?? [], to));
    for (const phrase of text.phrases) {
      const found = byPhrase.get(phrase) ?? [];
      if (found.length <= maximumOccurrences) for (const index of found) candidates.add(index);
    }
    return [...candidates].flatMap((from) => {
      const other = before[from];
      const likeness = other === undefined ? 0 : likenessOf(other, text);
      return likeness === 0 ? [] : [{ from, to, likeness }];
    });
  });
  const pairs = likely.flat();
  const distance = (pair: { from: number; to: number }) => Math.abs(pair.from - pair.to);
  pairs.sort((a, b) => b.likeness - a.likeness || distance(a) - distance(b) || a.to - b.to);
  const paired = new Map<number, number>();
  const taken = new Set<number>();
  for (const { from, to } of pairs) {
    if (paired.has(to) || taken.has(from)) continue;
    paired.set(to, from);
    taken.add(from);
  }
  return paired;
}

/** A long document takes seconds, so other work of the process gets a turn between two texts. */
async function eachWithBreaths<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    if (index % textsPerBreath === textsPerBreath - 1) await nextTurn();
    results.push(work(item, index));
  }
  return results;
}

interface Features {
  title: string;
  phrases: Set<string>;
}

function featuresOf({ title, content }: TitledText): Features {
  const words =
    content
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const phrases = new Set<string>();
  // A text of one or two words has no other phrases.
  if (words.length > 0 && words.length < 3) phrases.add(words.join(' '));
  for (let at = 2; at < words.length; at++) phrases.add(words.slice(at - 2, at + 1).join(' '));
  return { title: title.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim(), phrases };
}

/** 0 when the texts are not versions of each other. */
function likenessOf(a: Features, b: Features): number {
  const [small, large] = a.phrases.size < b.phrases.size ? [a, b] : [b, a];
  let common = 0;
  for (const phrase of small.phrases) if (large.phrases.has(phrase)) common++;
  const share = common === 0 ? 0 : (2 * common) / (a.phrases.size + b.phrases.size);
  if (a.title === b.title) return share + titleWeight;
  return share >= minimumShare ? share : 0;
}

/** The indexes nearest to a position: a title that occurs everywhere must not compare all with all. */
function near(indexes: readonly number[], place: number): number[] {
  if (indexes.length <= maximumOccurrences) return [...indexes];
  const byDistance = [...indexes].sort((a, b) => Math.abs(a - place) - Math.abs(b - place));
  return byDistance.slice(0, maximumOccurrences);
}

function add(lists: Map<string, number[]>, key: string, index: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [index]);
  else list.push(index);
}
