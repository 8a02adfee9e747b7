import type { App } from '../../platform/app.js';
import { ModelError } from '../../platform/models/model-error.js';
import { indexTerms } from '../../language/analyze.js';
import type { Language } from '../../language/language-pack.js';
import { splitSentences } from '../../language/sentences.js';
import type { Generation } from './generation.js';
import { dotProduct } from './nearest-passages.js';
import { samplePassages, type SampledPassage } from '../passages/sample-passages.repository.js';
import type { SearchScope } from '../passages/scope.js';
import type { Trust } from './trust.js';

/** A part of a passage as a test question; the rest of the passage is the expected result. */
export interface Probe {
  entryId: number;
  title: string;
  part: string;
  rest: string;
}

/** A probe with its results by model and by words. */
export interface Probed {
  entryId: number;
  title: string;
  partVector: Float32Array;
  restVector: Float32Array;
  partWords: ReadonlySet<string>;
  restWords: ReadonlySet<string>;
}

/** Probes per language, with two texts to embed each. */
const mostProbes = 80;
/** With fewer probes, chance decides. */
const leastProbes = 24;
/** Passages that are read to have enough of each language. */
const sampled = 640;
/** From this many sentences on, one sentence says less about the rest than a title. */
const manySentences = 3;
/** Vectors are trusted only if their mean reciprocal rank exceeds this share of the words'. */
const shareOfWords = 0.6;
const margin = 0.05;
/** The further gain at which they are trusted fully. */
const fullGain = 0.8;

/**
 * Estimates how much more a generation's vectors find than words do, for each language with enough passages in the
 * scope. It needs no labels: a part of a passage should find the rest of that passage among others. The part is a
 * sentence, or the title of a short passage; like a question, it describes the rest in other words. Undefined when the
 * model has been replaced. The result is deterministic.
 */
export async function estimateTrust(
  app: Pick<App, 'db' | 'models'>,
  generation: Generation,
  scope: SearchScope,
  signal: AbortSignal,
): Promise<Trust['byLanguage'] | undefined> {
  const trust: Trust['byLanguage'] = {};
  const passages = await samplePassages(app, scope, sampled);
  for (const language of new Set(passages.map((one) => one.language))) {
    const probes = evenly(
      passages.filter((one) => one.language === language).flatMap(probeOf),
      mostProbes,
    );
    if (probes.length < leastProbes) continue;
    try {
      const probed = await embedProbes(app, generation, probes, language, signal);
      if (probed === undefined) return undefined;
      const estimate = trustFrom(probed);
      if (estimate !== undefined) trust[language] = estimate;
    } catch (error) {
      // The model cannot embed a text: this language stays unjudged, and the vectors are used anyway.
      if (!(error instanceof ModelError && error.failure === 'refused')) throw error;
    }
  }
  return trust;
}

/** 0 to 1; undefined when too few probes have other passages to compare with. */
export function trustFrom(probed: readonly Probed[]): number | undefined {
  const rarities = raritiesIn(probed.map(({ restWords }) => restWords));
  let [vectors, words, count] = [0, 0, 0];
  for (const one of probed) {
    const others = probed.filter(
      (other) => other.entryId !== one.entryId && other.title !== one.title,
    );
    if (others.length < leastProbes - 1) continue;
    const chance = chanceAmong(others.length);
    vectors += reciprocalRank(one, others, nearnessOf) - chance;
    words += reciprocalRank(one, others, (part, rest) => sharedBy(part, rest, rarities)) - chance;
    count++;
  }
  if (count < leastProbes) return undefined;
  const gain = vectors / count - shareOfWords * Math.max(0, words / count) - margin;
  return Math.round(100 * Math.min(1, Math.max(0, gain / fullGain))) / 100;
}

function probeOf({ entryId, title, body }: SampledPassage): Probe[] {
  const sentences = splitSentences(body).map(({ text }) => text.trim());
  const middle = Math.floor(sentences.length / 2);
  const isLong = sentences.length >= manySentences;
  const part = isLong ? (sentences[middle] ?? '') : title.trim();
  const rest = isLong ? sentences.filter((_, index) => index !== middle).join(' ') : body.trim();
  return part === '' || rest === '' ? [] : [{ entryId, title, part, rest }];
}

async function embedProbes(
  app: Pick<App, 'models'>,
  { model, digest, dimension, passagePrefix }: Generation,
  probes: readonly Probe[],
  language: Language,
  signal: AbortSignal,
): Promise<Probed[] | undefined> {
  const parts = probes.map(({ part }) => part);
  const rests = probes.map(({ rest }) => rest);
  const queries = await app.models.embed({ input: parts, kind: 'query', model, signal });
  const passages = await app.models.embed({
    input: rests,
    kind: 'passage',
    model,
    prefix: passagePrefix,
    signal,
  });
  const same = [queries, passages].every(
    (one) => one.digest === digest && one.dimension === dimension,
  );
  if (!same) return undefined;
  return probes.map(({ entryId, title, part, rest }, index) => ({
    entryId,
    title,
    partVector: queries.vectors[index] ?? new Float32Array(dimension),
    restVector: passages.vectors[index] ?? new Float32Array(dimension),
    partWords: new Set(indexTerms(part, language)),
    restWords: new Set(indexTerms(rest, language)),
  }));
}

function reciprocalRank(
  one: Probed,
  others: readonly Probed[],
  score: (part: Probed, rest: Probed) => number,
): number {
  const own = score(one, one);
  let before = 0;
  for (const other of others) {
    const theirs = score(one, other);
    if (theirs > own) before++;
    else if (theirs === own) before += 0.5;
  }
  return 1 / (1 + before);
}

/** The average reciprocal rank by chance. */
function chanceAmong(others: number): number {
  let sum = 0;
  for (let rank = 1; rank <= others + 1; rank++) sum += 1 / rank;
  return sum / (others + 1);
}

function nearnessOf(part: Probed, rest: Probed): number {
  return dotProduct(part.partVector, rest.restVector);
}

/** The words that both have; rare ones weigh more. A long text has more by chance. */
function sharedBy(
  { partWords }: Probed,
  { restWords }: Probed,
  rarities: ReadonlyMap<string, number>,
): number {
  let sum = 0;
  for (const word of partWords) if (restWords.has(word)) sum += rarities.get(word) ?? 0;
  return sum / Math.sqrt(Math.max(1, restWords.size));
}

function raritiesIn(texts: readonly ReadonlySet<string>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const words of texts) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return new Map([...counts].map(([word, count]) => [word, Math.log(1 + texts.length / count)]));
}

/** At most `most` items, evenly spread. */
function evenly<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return all.filter((_, index) => index % step < 1);
}
