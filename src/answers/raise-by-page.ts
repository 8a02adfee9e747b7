import { queryTerms } from '../language/analyze.js';
import type { FoundPassage } from '../search/search-passages.js';
import type { AskedPage } from './question-context.js';

/** The largest bonus of a passage whose title the page mentions, as a share of the best score. */
const mostGain = 0.15;
/** The characters of a page that are read: more would not identify its subject better. */
const charactersRead = 2000;

/** Raises passages whose titles occur in the page's title, headings or selected text. Relevance stays unchanged. */
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
      const gain = title.length === 0 ? 0 : (mostGain * best * shared.length) / title.length;
      return { ...passage, score: passage.score + gain };
    })
    .sort((a, b) => b.score - a.score || a.id - b.id);
}

function tellingWords(text: string): string[][] {
  return queryTerms(text)
    .filter((term) => !term.isStopWord)
    .map((term) => term.variants);
}
