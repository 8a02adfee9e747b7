import type { App } from '../platform/app.js';
import { queryTerms } from '../platform/text/analyze.js';
import { detectLanguage, type Language } from '../platform/text/languages.js';
import { withoutMasks } from '../platform/text/mask-personal-data.js';
import { splitSentences } from '../platform/text/sentences.js';
import { wordsOf } from '../retrieval/passage-words.js';
import type { SearchScope } from '../retrieval/passages.repository.js';
import {
  searchPassages,
  type FoundPassage,
  type Place,
  type WeightedTerm,
} from '../retrieval/search-passages.js';
import type { Turn } from './build-prompt.js';
import { likelihood, namesIn, signsOf } from './judge-passage.js';
import { weighPassages, type WeighedPassage } from './weigh-passages.js';

/** The page that a question is asked on, as far as it can help: untrusted, every word of it. */
export interface AskedPage {
  url: string;
  title: string;
  /** What the asker has marked there. */
  selectedText?: string | undefined;
  headings?: string[] | undefined;
}

export interface RelevantKnowledge {
  /** What was looked for: the question, with what it took from the conversation or the page. */
  question: string;
  /** The words that were looked for, weighed. */
  terms: WeightedTerm[];
  /** Passages that likely hold the answer, best first; none when nothing does. */
  passages: FoundPassage[];
  /** The same passages with what speaks for each of their sentences. */
  weighed: WeighedPassage[];
}

/** Content words beyond which a message says by itself what it is about. */
const longestFollowUp = 4;
/** Share of a follow-up's own words that a passage must hold, beside what the earlier question gives. */
const ownShare = 0.3;
/** What a passage's probability must be beside one that is likely enough, as a share of what that needs. */
const besideShare = 0.5;

/**
 * The knowledge in scope that is relevant to a message. A follow-up ("and on Windows?") that finds nothing by
 * itself takes what it lacks from the question before it, but some of its own words must be found too: else
 * any new subject would be answered with the old one.
 */
export async function findRelevant(
  app: App,
  question: { text: string; scope: SearchScope; place: Place | undefined; history: Turn[] },
): Promise<RelevantKnowledge> {
  const text = asked(withoutMasks(question.text));
  const alone = await lookFor(app, question, text);
  const earlier = question.history.findLast((turn) => turn.role === 'user')?.content;
  const own = contentWords(text);
  if (alone.passages.length > 0 || earlier === undefined || own.length > longestFollowUp) {
    return alone;
  }
  const together = `${asked(withoutMasks(earlier))}\n${text}`;
  const wider = await lookFor(app, question, together);
  const passages = wider.passages.filter(
    (passage) => shareOf(own, wordsOf(app, passage)) >= ownShare,
  );
  return { ...wider, passages };
}

/** The passages that likely hold the answer to a text. */
async function lookFor(
  app: App,
  { scope, place }: { scope: SearchScope; place: Place | undefined },
  text: string,
): Promise<RelevantKnowledge> {
  const { max_passages: limit, min_relevance: minimum } = app.config.answers;
  const { terms, passages } = await searchPassages(app, { text, scope, place, limit });
  const weighed = weighPassages(text, terms, passages);
  const language = detectLanguage(text);
  const asked = { terms, names: namesIn(text) };
  const likely = new Map(
    weighed.map((one) => [one, likelihood(signsOf(asked, one, isForeign(one.passage, language)))]),
  );
  const best = Math.max(0, ...likely.values());
  const relevant = weighed.filter(
    (one) => best >= minimum && (likely.get(one) ?? 0) >= minimum * besideShare,
  );
  return {
    question: text,
    terms,
    passages: relevant.map(({ passage }) => passage),
    weighed: relevant,
  };
}

function isForeign(passage: FoundPassage, language: Language): boolean {
  return language !== 'other' && passage.language !== 'other' && passage.language !== language;
}

/** What a message asks: its question sentences, where it says other things too. */
function asked(text: string): string {
  const sentences = splitSentences(text).map((sentence) => sentence.text);
  const questions = sentences.filter((sentence) => /\?["'”’»)\]]*$/.test(sentence));
  return questions.length > 0 ? questions.join('\n') : text;
}

function contentWords(text: string): string[][] {
  return queryTerms(text)
    .filter((term) => !term.isStopWord)
    .map((term) => term.variants);
}

/** Share of words that stand in a passage; all of them when there is none ("and why?"). */
function shareOf(words: string[][], held: ReadonlySet<string>): number {
  if (words.length === 0) return 1;
  return (
    words.filter((variants) => variants.some((variant) => held.has(variant))).length / words.length
  );
}
