import { readTitle } from '../platform/text/heading.js';

const mostSuggestions = 4;

/**
 * First questions out of what the knowledge has about a very page, the best entries first. Titles of what is known of a
 * whole site are the same everywhere, and often those of chapters: they would be no questions.
 */
export function suggestionsOf(entries: readonly { title: string; scope: string }[]): string[] {
  const titles = entries
    .filter(({ scope }) => scope === 'view' || scope === 'url_pattern')
    .map(({ title }) => readTitle(title).heading);
  return [...new Set(titles)].slice(0, mostSuggestions);
}
