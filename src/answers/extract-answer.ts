import { queryTerms } from '../platform/text/analyze.js';
import { splitSentences } from '../platform/text/sentences.js';
import type { FoundPassage, WeightedTerm } from '../retrieval/search-passages.js';
import type { RelevantKnowledge } from './find-relevant.js';

/** A sentence of a passage that answers the question. */
interface Candidate {
  passage: FoundPassage;
  rank: number;
  position: number;
  text: string;
  covered: Set<WeightedTerm>;
  score: number;
}

/** A quoted answer: its passages in the order in which the text cites them, [1] first. */
export interface ExtractedAnswer {
  text: string;
  cited: FoundPassage[];
}

const heading = /^\s*#{1,6}\s/;
const tableRule = /^[\s|:-]*$/;
/** Characters of a block of code or a row beyond which quoting it answers nothing. */
const longestQuote = 900;
/** What a word counts that stands above the sentence only. */
const aboveShare = 0.3;
/** What a passage's rank takes from its sentences' scores, per place. */
const rankDiscount = 0.06;
/** What a word that an earlier chosen sentence holds already still counts. */
const repeatShare = 0.35;
/** Share of the best sentence's score below which a further one says nothing of the question. */
const furtherShare = 0.55;

/**
 * The best sentences of the passages, verbatim and in the order of the text, each with its [n]. Words of the
 * title count too: "Backup: it runs at night" answers a question about backups.
 */
export function extractAnswer(
  { terms }: Pick<RelevantKnowledge, 'question' | 'terms'>,
  passages: FoundPassage[],
  maxSentences: number,
): ExtractedAnswer {
  const candidates = passages.flatMap((passage, rank) => candidatesOf(terms, passage, rank));
  const chosen = choose(candidates, maxSentences);
  const cited: FoundPassage[] = [];
  const parts: string[] = [];
  const ordered = chosen.sort((a, b) => a.rank - b.rank || a.position - b.position);
  for (const [index, candidate] of ordered.entries()) {
    if (!cited.includes(candidate.passage)) cited.push(candidate.passage);
    const next = ordered[index + 1];
    const isLastOfPassage = next?.passage !== candidate.passage;
    const mark = isLastOfPassage ? ` [${cited.indexOf(candidate.passage) + 1}]` : '';
    parts.push(`${candidate.text}${mark}`);
  }
  return { text: joinParts(parts), cited };
}

function candidatesOf(terms: WeightedTerm[], passage: FoundPassage, rank: number): Candidate[] {
  const total = terms.reduce((sum, term) => sum + term.weight, 0) || 1;
  // What stands above a sentence says what it is about: the title, and the last heading before it.
  let aboveWords = wordsOf(passage.title);
  const sentences = splitSentences(passage.body);
  return sentences.flatMap(({ text }, position): Candidate[] => {
    const words = wordsOf(text);
    if (heading.test(text)) {
      aboveWords = new Set([...wordsOf(passage.title), ...words]);
      return [];
    }
    // The head of a table says nothing without its rows.
    const isHead = text.startsWith('|') && tableRule.test(sentences[position + 1]?.text ?? 'no');
    if (isHead || tableRule.test(text) || text.length > longestQuote) return [];
    const covered = new Set(terms.filter((term) => stands(term, words)));
    const above = terms.filter((term) => !covered.has(term) && stands(term, aboveWords));
    const weight = sumOf(covered) + aboveShare * sumOf(above);
    // Long sentences hold more words by chance; very short ones are headings or leftovers.
    const length = words.size < 4 ? 0.5 : 1 / (1 + Math.max(0, words.size - 40) / 80);
    const score = (weight / total) * length * (1 - rankDiscount * rank);
    return [{ passage, rank, position, text: text.trim(), covered, score }];
  });
}

/** Greedily the sentence that adds most, as long as what it adds is worth reading. */
function choose(candidates: Candidate[], maxSentences: number): Candidate[] {
  const chosen: Candidate[] = [];
  const said = new Set<WeightedTerm>();
  const best = Math.max(...candidates.map((candidate) => candidate.score), 0);
  const left = new Set(candidates);
  while (chosen.length < maxSentences) {
    let top: { candidate: Candidate; gain: number } | undefined;
    for (const candidate of left) {
      const gain = candidate.score * novelty(candidate, said);
      if (top === undefined || gain > top.gain) top = { candidate, gain };
    }
    if (top === undefined || top.gain <= 0) break;
    if (chosen.length > 0 && top.gain < best * furtherShare * 0.5) break;
    if (chosen.length > 0 && top.candidate.score < best * furtherShare) {
      left.delete(top.candidate);
      continue;
    }
    left.delete(top.candidate);
    if (chosen.some((one) => one.text === top.candidate.text)) continue;
    chosen.push(top.candidate);
    top.candidate.covered.forEach((term) => said.add(term));
  }
  return chosen;
}

/** How much of what a sentence covers is new, 0 to 1. */
function novelty(candidate: Candidate, said: Set<WeightedTerm>): number {
  if (said.size === 0) return 1;
  const all = sumOf(candidate.covered);
  if (all === 0) return repeatShare;
  const fresh = sumOf([...candidate.covered].filter((term) => !said.has(term)));
  return repeatShare + (1 - repeatShare) * (fresh / all);
}

/** Lists and code keep their own lines; sentences flow. */
function joinParts(parts: string[]): string {
  let text = '';
  for (const part of parts) {
    const block = /^([-*•|]|\d+[.)]\s|```)/.test(part) || part.includes('\n');
    const separator = text === '' ? '' : block || text.endsWith('```') ? '\n' : ' ';
    text += separator + part;
  }
  return text;
}

function wordsOf(text: string): Set<string> {
  return new Set(queryTerms(text).flatMap((term) => term.variants));
}

function stands(term: WeightedTerm, words: Set<string>): boolean {
  return term.variants.some((variant) => words.has(variant));
}

function sumOf(terms: Iterable<WeightedTerm>): number {
  let sum = 0;
  for (const term of terms) sum += term.weight;
  return sum;
}
