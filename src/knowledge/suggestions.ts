import { isFunctionWord } from '../language/packs.js';
import { readTitle } from '../platform/text/heading.js';
import { tokenize } from '../language/tokenize.js';
import type { PageEntry } from './entry.js';

const mostSuggestions = 4;
/** A heading needs this many words besides function words to name its subject. */
const fewestWords = 2;

/**
 * First questions from the knowledge of a page, the best entries first: those of this page, else those of the whole
 * site. Each question makes sense without its chapter.
 */
export function suggestionsOf(entries: readonly Pick<PageEntry, 'title' | 'scope'>[]): string[] {
  const ofPage = entries.filter(({ scope }) => scope === 'view' || scope === 'url_pattern');
  const titles =
    ofPage.length > 0 ? ofPage.map(({ title }) => withChapter(title)) : ofChapters(entries);
  return [...new Set(titles)].slice(0, mostSuggestions);
}

/** One heading from each chapter: manuals often begin far from what people look for. */
function ofChapters(entries: readonly Pick<PageEntry, 'title'>[]): string[] {
  const titles = entries.map(({ title }) => title);
  const deepest = titles.reduce(
    (most, title) => Math.max(most, readTitle(title).chapters.length),
    1,
  );
  // The outermost heading may be the name of a document, which all its sections have.
  let found = firstOfChapters(titles, 1);
  for (let depth = 2; depth <= deepest && found.length < mostSuggestions; depth++) {
    found = firstOfChapters(titles, depth);
  }
  return found.map(withChapter);
}

/** The title of one section from each chapter, chapters being told apart by so many outer headings. */
function firstOfChapters(titles: readonly string[], depth: number): string[] {
  const found = new Map<string, string>();
  for (const title of titles) {
    const { chapters, heading } = readTitle(title);
    // A single word is a topic, not a question.
    if (!/\S\s+\S/.test(heading)) continue;
    const chapter = chapters.length === 0 ? heading : chapters.slice(0, depth).join('\n');
    const known = found.get(chapter);
    const isClearer = known !== undefined && !standsAlone(known) && standsAlone(title);
    if (known === undefined || isClearer) found.set(chapter, title);
  }
  return [...found.values()];
}

/** The heading, with the chapter before it if it does not name its subject: "The pump: What it is for". */
function withChapter(title: string): string {
  const { chapters, heading } = readTitle(title);
  const chapter = chapters.at(-1);
  return chapter === undefined || standsAlone(title) ? heading : `${chapter}: ${heading}`;
}

/** True when a heading names its subject: by two words, or by a name after its first word. */
function standsAlone(title: string): boolean {
  const { heading } = readTitle(title);
  const telling = tokenize(heading).filter(({ text }) => !isFunctionWord(text));
  return telling.length >= fewestWords || /\s\p{Lu}/u.test(heading);
}
