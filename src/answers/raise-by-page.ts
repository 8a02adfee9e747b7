import { queryTerms } from '../platform/text/analyze.js';
import type { FoundPassage } from '../retrieval/search-passages.js';
import type { AskedPage } from './turn.js';

/** What a passage gains at most whose title the page speaks of, as a share of the best score. */
const most = 0.15;
/** Characters of a page that are read: the rest tells no more of what it is about. */
const charactersRead = 2000;

/**
 * The passages with those raised whose titles stand in what a page says of itself: its title, its headings and
 * what is marked on it. None is added or lost, and none becomes more relevant.
 */
export function raiseByPage(passages: FoundPassage[], page: AskedPage | undefined): FoundPassage[] {
  if (page === undefined || passages.length < 2) return passages;
  const said = [page.selectedText ?? '', page.title, ...(page.headings ?? [])].join('\n');
  const words = new Set(tellingWords(said.slice(0, charactersRead)).flat());
  if (words.size === 0) return passages;
  const best = passages[0]?.score ?? 0;
  return passages
    .map((passage) => {
      const title = tellingWords(passage.title);
      const shared = title.filter((variants) => variants.some((variant) => words.has(variant)));
      const gain = title.length === 0 ? 0 : (most * best * shared.length) / title.length;
      return { ...passage, score: passage.score + gain };
    })
    .sort((a, b) => b.score - a.score || a.id - b.id);
}

function tellingWords(text: string): string[][] {
  return queryTerms(text)
    .filter((term) => !term.isStopWord)
    .map((term) => term.variants);
}
