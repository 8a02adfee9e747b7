import type { App } from '../platform/app.js';
import { queryTerms, type QueryTerm } from '../platform/text/analyze.js';
import { hashOf } from '../platform/text/term-features.js';
import { findCompounds, findMeant, type RelatedWords } from './find-related.js';
import { isVisible, recallPassages, type PassageMemory } from './memory/passage-memory.js';
import { countHolding } from './memory/stem-index.js';
import { countTotals, findHeld, type SearchScope } from './passages.repository.js';
import { readStatistics, type TermStatistics } from './term-statistics.js';
import { weighTerms, type ScoredTerm } from './weigh-terms.js';

export interface UnderstoodQuestion {
  terms: ScoredTerm[];
  words: TermStatistics & RelatedWords;
  /** The passages as they are in memory; undefined where the database is to be asked. */
  memory: PassageMemory | undefined;
}

/** Words of a question that are looked for, and those of an endless text that are looked up to choose them. */
const mostWords = { asked: 80, lookedUp: 2000 };

/**
 * The words of a question, weighed by the index, with those of the index that they may have to do with. A word that
 * stands in hidden passages alone is unknown to whoever may not see them: what they are told must not depend on it.
 */
export async function understandQuestion(
  app: Pick<App, 'db'>,
  scope: SearchScope,
  text: string,
): Promise<UnderstoodQuestion> {
  const all = queryTerms(text).slice(0, mostWords.lookedUp);
  const isLong = all.length > mostWords.asked;
  // At once what needs nothing of the other.
  const [totals, early] = await Promise.all([
    countTotals(app),
    isLong ? [] : findCompounds(app, scope, all),
  ]);
  const memory = recallPassages(app, totals);
  const read = (terms: readonly string[]) => readStatistics(app, totals, terms, memory);
  const variants = all.flatMap((term) => term.variants);
  const own = await read([...variants, ...early]);
  const asked = shortened(all, own);
  const compounds = isLong ? await findCompounds(app, scope, asked) : early;
  const hidden = await hiddenWords(app, scope, asked, own, memory);
  const isKnown = (term: QueryTerm) =>
    !hidden.has(term) && term.variants.some((variant) => own.holding(variant) > 0);
  const meant = await findMeant(app, scope, asked, isKnown);
  const further = [...(isLong ? compounds : []), ...[...meant.values()].flat()];
  const others = further.length === 0 ? own : await read(further);
  const holding = (term: string) => own.holding(term) || others.holding(term);
  const terms = weighTerms(asked, { totals, holding }, meant, hidden);
  return { terms, words: { totals, holding, compounds, meant }, memory };
}

/** Of an endless text the first words that the index holds; those that hold sentences together come last. */
function shortened(terms: QueryTerm[], { holding }: TermStatistics): QueryTerm[] {
  if (terms.length <= mostWords.asked) return terms;
  const rankOf = (term: QueryTerm) =>
    term.isStopWord ? 2 : term.variants.some((variant) => holding(variant) > 0) ? 0 : 1;
  return terms.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, mostWords.asked);
}

/** Passages from which on a word is no secret of anybody's, and looking it up takes time. */
const commonWord = 5000;

/** The words that passages hold, but none within the scope. */
async function hiddenWords(
  app: Pick<App, 'db'>,
  scope: SearchScope,
  asked: QueryTerm[],
  { holding }: TermStatistics,
  memory: PassageMemory | undefined,
): Promise<Set<QueryTerm>> {
  const telling = asked.filter((term) => {
    const most = Math.max(...term.variants.map(holding));
    return !term.isStopWord && most > 0 && most < commonWord;
  });
  const hidden = new Set<QueryTerm>();
  const doubtful: QueryTerm[] = [];
  for (const term of telling) {
    const held = memory === undefined ? 'perhaps' : isHeldWithin(memory, scope, term, holding);
    if (held === 'no') hidden.add(term);
    if (held === 'perhaps') doubtful.push(term);
  }
  const groups = doubtful.map((term) => term.variants.filter((variant) => holding(variant) > 0));
  const held = await findHeld(app, scope, groups);
  doubtful.forEach((term, index) => {
    if (!held.has(index)) hidden.add(term);
  });
  return hidden;
}

/**
 * Whether a visible passage holds the word. Another word may be taken for it, whose hash begins alike: it is told that
 * there is none where as many passages are found as hold the word.
 */
function isHeldWithin(
  { stems, settings }: PassageMemory,
  scope: SearchScope,
  term: QueryTerm,
  holding: (variant: string) => number,
): 'yes' | 'no' | 'perhaps' {
  let answer: 'no' | 'perhaps' = 'no';
  for (const variant of term.variants) {
    if (holding(variant) === 0) continue;
    const hash = hashOf(variant);
    const visible = countHolding(stems, hash, (slot) => isVisible(settings[slot], scope));
    const found =
      visible === 0 ? 0 : countHolding(stems, hash, (slot) => settings[slot] !== undefined);
    if (visible > 0 && found === holding(variant)) return 'yes';
    if (visible > 0) answer = 'perhaps';
  }
  return answer;
}
