import type { App } from '../platform/app.js';
import { queryTerms } from '../platform/text/analyze.js';
import { withoutMasks } from '../platform/text/mask-personal-data.js';
import { splitSentences } from '../platform/text/sentences.js';
import type { SearchScope } from '../retrieval/passages.repository.js';
import {
  searchPassages,
  type FoundPassage,
  type Place,
  type WeightedTerm,
} from '../retrieval/search-passages.js';
import type { Turn } from './build-prompt.js';

export interface RelevantKnowledge {
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
  const minimum = app.config.answers.min_relevance;
  const search = await searchPassages(app, { text, scope, place, limit: candidates });
  const passages = search.passages.filter((passage) => passage.coverage >= minimum);
  const earlier = question.history.findLast((turn) => turn.role === 'user')?.content;
  const own = contentWords(text);
  if (passages.length > 0 || earlier === undefined || own.length > longestFollowUp) {
    return { terms: search.terms, passages };
  }
  const together = `${asked(withoutMasks(earlier))}\n${text}`;
  const wider = await searchPassages(app, { text: together, scope, place, limit: candidates });
  return {
    terms: wider.terms,
    passages: wider.passages.filter(
      (passage) => passage.coverage >= minimum && shareOf(own, passage) >= ownShare,
    ),
  };
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
function shareOf(words: string[][], passage: FoundPassage): number {
  if (words.length === 0) return 1;
  const held = new Set(
    queryTerms(`${passage.title}\n${passage.body}`).flatMap((term) => term.variants),
  );
  return (
    words.filter((variants) => variants.some((variant) => held.has(variant))).length / words.length
  );
}
