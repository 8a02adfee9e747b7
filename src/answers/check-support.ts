import { allMatches } from '../platform/text/all-matches.js';
import { queryTerms, type QueryTerm } from '../language/analyze.js';
import { detectLanguage } from '../language/detect-language.js';
import type { Language } from '../language/language-pack.js';
import { packOf } from '../language/packs.js';
import { denies } from '../language/negation.js';
import { splitSentences } from '../language/sentences.js';

/** A range of a text, in UTF-16 units; `to` is exclusive. */
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
  /** The sentences that make a statement, each with the indexes of the passages that support it. */
  sentences: (TextRange & { passages: number[] })[];
}

/** The share of a sentence's content words that a passage must contain: leaves room for synonyms, not for new facts. */
const minimumShare = 0.6;
/** Two sentences that share more than this share of their content words have the same subject. */
const sameMatterShare = 0.6;

/**
 * Finds the passages that support each sentence of an answer, as far as words show it. The passage must contain most
 * content words (by stem), every number and every name. Both must agree on negation. For a passage in another language,
 * only numbers and names are compared. Headings, code and sentences without content ("Yes.", "Do this:") make no
 * statement.
 */
export function checkSupport(text: string, passages: SourceText[]): Support {
  const known = passages.map(read);
  const language = detectLanguage(text);
  const sentences = splitSentences(text).flatMap(({ text: sentence, start, end }) => {
    const claim = claimOf(sentence, language);
    if (claim === undefined) return [];
    const bearing = known.flatMap((passage, index) => (bears(passage, claim) ? [index] : []));
    // A statement that combines two passages is complete in neither.
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
  /** Numbers and names: a source must contain all of them. */
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

/** Words with a capital after the first word. German nouns have one, so there a word needs two. */
function namesIn(sentence: string, language: Language): Set<string> {
  const name =
    packOf(language)?.capitalizesNouns === true
      ? /(?<=\S\s+)\p{L}*\p{Lu}\p{L}*\p{Lu}\p{L}*/gu
      : /(?<=[\p{L}\p{N},]\s+)\p{Lu}[\p{L}\p{N}]+/gu;
  return new Set(allMatches(sentence, name).map(([word]) => word.normalize('NFKC').toLowerCase()));
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

/** True when all sentences of the passage on the same subject negate what is asserted, or the reverse. */
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
