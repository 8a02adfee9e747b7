import { readTitle } from '../platform/text/heading.js';
import type { PageEntry } from './entry.js';

const mostSuggestions = 4;

/**
 * First questions out of what the knowledge has about a very page, the best entries first. Titles of what is known of a
 * whole site are the same everywhere, and often those of chapters: they would be no questions.
 */
export function suggestionsOf(entries: readonly Pick<PageEntry, 'title' | 'scope'>[]): string[] {
  const titles = entries
    .filter((entry) => entry.scope === 'view' || entry.scope === 'url_pattern')
    .map(({ title }) => readTitle(title).heading);
  return [...new Set(titles)].slice(0, mostSuggestions);
}
