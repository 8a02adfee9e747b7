import { queryTerms, type QueryTerm } from '../language/analyze.js';
import { detectLanguage } from '../language/detect-language.js';
import type { Language } from '../language/language-pack.js';
import { packOf } from '../language/packs.js';
import { denies } from '../language/negation.js';
import { splitSentences } from '../language/sentences.js';

/** A stretch of a text, in UTF-16 units; `to` is its end, not included. */
export interface TextRange {
  from: number;
  to: number;
}

export interface SourceText {
  title: string;
  body: string;
  language: Language;
}

export interface Support {
  /** The sentences that say something, and those passages (by index) that bear each out; none where no passage does. */
  sentences: (TextRange & { passages: number[] })[];
}

/** Share of a sentence's content words that a passage must hold: room for other words for the same, not for facts. */
const minimumShare = 0.6;
/** Content words that both hold, beyond which two sentences speak of the same. */
const sameMatterShare = 0.6;

/**
 * Which passages bear the sentences of an answer out, as far as words can tell: most of the content words by their
 * stems, every number and every name, and no denial of what the passage asserts, or the reverse. Of a passage in
 * another language only numbers and names can be compared. Headings, code, and sentences without content ("Yes.",
 * "Do this:") are not among those that say something.
 */
export function checkSupport(text: string, passages: SourceText[]): Support {
  const known = passages.map(read);
  const language = detectLanguage(text);
  const sentences = splitSentences(text).flatMap(({ text: sentence, start, end }) => {
    const claim = claimOf(sentence, language);
    if (claim === undefined) return [];
    const bearing = known.flatMap((passage, index) => (bears(passage, claim) ? [index] : []));
    // What is put together from two passages stands in neither alone.
    const together = bearing.length > 0 || known.length < 2 ? bearing : allOf(known, claim);
    return [{ from: start, to: end, passages: together }];
  });
  return { sentences };
}

interface Known {
  words: Set<string>;
  sentences: { words: Set<string>; denies: boolean }[];
  language: Language;
}

interface Claim {
  words: QueryTerm[];
  /** Numbers and names: they stand in a source, or the sentence is not from there. */
  facts: QueryTerm[];
  denies: boolean;
  language: Language;
}

function read({ title, body, language }: SourceText): Known {
  const sentences = splitSentences(body).map(({ text }) => ({
    words: variantsOf(text),
    denies: denies(text),
  }));
  return { words: variantsOf(`${title}\n${body}`), sentences, language };
}

function claimOf(sentence: string, language: Language): Claim | undefined {
  const plain = sentence
    .replaceAll(/\[\d{1,3}\]/g, '')
    .replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '');
  if (/^\s*(?:#{1,6}\s|```|~~~)/.test(plain)) return undefined;
  const words = queryTerms(plain).filter((term) => !term.isStopWord);
  const names = namesIn(plain, language);
  const facts = words.filter(({ text }) => /\p{N}/u.test(text) || names.has(text));
  if (words.length < 2 && facts.length === 0) return undefined;
  if (/:["*_\s]*$/.test(plain) && facts.length === 0) return undefined;
  return { words, facts, denies: denies(plain), language };
}

/** Words with a capital in them behind the first one; nouns have one in German, so only what has two there. */
function namesIn(sentence: string, language: Language): Set<string> {
  const name =
    packOf(language)?.capitalizesNouns === true
      ? /(?<=\S\s+)\p{L}*\p{Lu}\p{L}*\p{Lu}\p{L}*/gu
      : /(?<=[\p{L}\p{N},]\s+)\p{Lu}[\p{L}\p{N}]+/gu;
  return new Set(
    [...sentence.matchAll(name)].map(([word]) => word.normalize('NFKC').toLowerCase()),
  );
}

function bears(passage: Known, claim: Claim): boolean {
  if (!claim.facts.every((fact) => holds(passage.words, fact))) return false;
  if (isForeign(passage, claim)) return claim.facts.length > 0;
  return shareOf(passage.words, claim) >= minimumShare && !contradicts(passage, claim);
}

function allOf(passages: Known[], claim: Claim): number[] {
  const near = passages.filter((passage) => !isForeign(passage, claim));
  const words = new Set(near.flatMap((passage) => [...passage.words]));
  const together = {
    words,
    sentences: near.flatMap(({ sentences }) => sentences),
    language: claim.language,
  };
  if (near.length < 2 || !bears(together, claim)) return [];
  return passages.flatMap((passage, index) =>
    near.includes(passage) && claim.words.some((word) => holds(passage.words, word)) ? [index] : [],
  );
}

function isForeign(passage: Known, claim: Claim): boolean {
  const { language } = claim;
  return language !== 'other' && passage.language !== 'other' && passage.language !== language;
}

/** Whether those sentences of the passage that speak of the same matter all deny what is asserted, or the reverse. */
function contradicts(passage: Known, claim: Claim): boolean {
  const shares = passage.sentences.map((sentence) => shareOf(sentence.words, claim));
  const best = Math.max(...shares, 0);
  if (best < sameMatterShare) return false;
  return passage.sentences.every(
    (sentence, index) => (shares[index] ?? 0) < best || sentence.denies !== claim.denies,
  );
}

function shareOf(words: ReadonlySet<string>, claim: Claim): number {
  if (claim.words.length === 0) return 0;
  return claim.words.filter((word) => holds(words, word)).length / claim.words.length;
}

function holds(words: ReadonlySet<string>, term: QueryTerm): boolean {
  return term.variants.some((variant) => words.has(variant));
}

function variantsOf(text: string): Set<string> {
  return new Set(queryTerms(text).flatMap((term) => term.variants));
}
