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
  type SearchResult,
  type WeightedTerm,
} from '../retrieval/search-passages.js';
import type { Turn } from './build-prompt.js';

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
  /** Passages that hold enough of the question to answer it, best first; none when nothing does. */
  passages: FoundPassage[];
}

/** Passages that are looked at for relevance before the best are taken. */
const candidates = 20;
/** Content words beyond which a message says by itself what it is about. */
const longestFollowUp = 4;
/** Share of a follow-up's own words that a passage must hold, beside what the earlier question gives. */
const ownShare = 0.3;
/** Share of a question that is wanted where part of what is met may be met by chance. */
const strictRelevance = 0.65;

/**
 * The knowledge in scope that is relevant to a message. A follow-up ("and on Windows?") that finds nothing by
 * itself takes what it lacks from the question before it, but some of its own words must be found too: else
 * any new subject would be answered with the old one.
 */
export async function findRelevant(
  app: App,
  question: { text: string; scope: SearchScope; place: Place | undefined; history: Turn[] },
): Promise<RelevantKnowledge> {
  const { scope, place } = question;
  const text = asked(withoutMasks(question.text));
  const search = await searchPassages(app, { text, scope, place, limit: candidates });
  const language = detectLanguage(question.text);
  const passages = answering(search, text, language, app.config.answers.min_relevance);
  const earlier = question.history.findLast((turn) => turn.role === 'user')?.content;
  const own = contentWords(text);
  if (passages.length > 0 || earlier === undefined || own.length > longestFollowUp) {
    return { question: text, terms: search.terms, passages };
  }
  const together = `${asked(withoutMasks(earlier))}\n${text}`;
  const wider = await searchPassages(app, { text: together, scope, place, limit: candidates });
  return {
    question: together,
    terms: wider.terms,
    passages: answering(wider, together, language, app.config.answers.min_relevance).filter(
      (passage) => shareOf(own, wordsOf(app, passage)) >= ownShare,
    ),
  };
}

/**
 * The passages that hold enough of a question. More is wanted where it names something that the whole index does
 * not know (the rest may be met by chance: "the capital of France" by capital letters), and of a passage in another
 * language, in which few words of the question can be met but by chance.
 */
function answering(
  { terms, passages }: SearchResult,
  text: string,
  language: Language,
  minimum: number,
): FoundPassage[] {
  const unknown = new Set(terms.filter((term) => !term.known).map((term) => term.text));
  const strict = namesIn(text, language).some((name) => unknown.has(name));
  return passages.filter((passage) => {
    const foreign =
      language !== 'other' && passage.language !== 'other' && passage.language !== language;
    return passage.coverage >= (strict || foreign ? Math.max(minimum, strictRelevance) : minimum);
  });
}

/** Names as they are told from words by sight: capitals within a sentence (not in German), and abbreviations. */
function namesIn(text: string, language: Language): string[] {
  const capitalised =
    language === 'de' ? [] : [...text.matchAll(/(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{N}]+/gu)];
  const abbreviations = [
    ...text.matchAll(/(?<![\p{L}\p{N}])\p{Lu}[\p{Lu}\p{N}]+(?![\p{L}\p{N}])/gu),
  ];
  return [...capitalised, ...abbreviations].map(([name]) => name.normalize('NFKC').toLowerCase());
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
