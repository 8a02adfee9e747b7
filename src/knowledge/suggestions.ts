import { isFunctionWord } from '../language/packs.js';
import { readTitle } from '../platform/text/heading.js';
import { tokenize } from '../language/tokenize.js';
import type { PageEntry } from './entry.js';

const mostSuggestions = 4;
/** Words beside function words by which a heading says what it is about. */
const fewestWords = 2;

/**
 * First questions out of what the knowledge has about a page, the best entries first: those of the very page, else those
 * of its whole site. Each makes sense without the chapter that it stands in.
 */
export function suggestionsOf(entries: readonly Pick<PageEntry, 'title' | 'scope'>[]): string[] {
  const ofPage = entries.filter(({ scope }) => scope === 'view' || scope === 'url_pattern');
  const titles =
    ofPage.length > 0 ? ofPage.map(({ title }) => withChapter(title)) : ofChapters(entries);
  return [...new Set(titles)].slice(0, mostSuggestions);
}

/** One out of each chapter: a site often has whole manuals, which begin far from what people look for. */
function ofChapters(entries: readonly Pick<PageEntry, 'title'>[]): string[] {
  const titles = new Map<string, string>();
  for (const { title } of entries) {
    const { chapters, heading } = readTitle(title);
    // One word is a topic, and no question.
    if (!/\S\s+\S/.test(heading)) continue;
    const chapter = chapters[0] ?? heading;
    const known = titles.get(chapter);
    const isClearer = known !== undefined && !standsAlone(known) && standsAlone(title);
    if (known === undefined || isClearer) titles.set(chapter, title);
  }
  return [...titles.values()].map(withChapter);
}

/** The heading, with the chapter above it where it says too little by itself: "The pump: What it is for". */
function withChapter(title: string): string {
  const { chapters, heading } = readTitle(title);
  const chapter = chapters.at(-1);
  return chapter === undefined || standsAlone(title) ? heading : `${chapter}: ${heading}`;
}

/** Whether the heading of a title names what it is about: by two words, or by a name behind its first word. */
function standsAlone(title: string): boolean {
  const { heading } = readTitle(title);
  const telling = tokenize(heading).filter(({ text }) => !isFunctionWord(text));
  return telling.length >= fewestWords || /\s\p{Lu}/u.test(heading);
}
