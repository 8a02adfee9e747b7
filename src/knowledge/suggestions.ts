import { readTitle } from '../platform/text/heading.js';
import type { PageEntry } from './entry.js';

const mostSuggestions = 4;

/**
 * First questions out of what the knowledge has about a page, the best entries first: those of the very page, else those
 * of its whole site.
 */
export function suggestionsOf(entries: readonly Pick<PageEntry, 'title' | 'scope'>[]): string[] {
  const ofPage = entries.filter(({ scope }) => scope === 'view' || scope === 'url_pattern');
  const titles =
    ofPage.length > 0 ? ofPage.map(({ title }) => readTitle(title).heading) : ofChapters(entries);
  return [...new Set(titles)].slice(0, mostSuggestions);
}

/** One out of each chapter: a site often has whole manuals, which begin far from what people look for. */
function ofChapters(entries: readonly Pick<PageEntry, 'title'>[]): string[] {
  const headings = new Map<string, string>();
  for (const { title } of entries) {
    const { chapters, heading } = readTitle(title);
    const chapter = chapters[0] ?? heading;
    // One word is a topic, and no question.
    if (/\S\s+\S/.test(heading) && !headings.has(chapter)) headings.set(chapter, heading);
  }
  return [...headings.values()];
}
