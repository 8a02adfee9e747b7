/** What an entry's title says of its place in a document. */
export interface TitlePath {
  /** Those above the heading, the outermost first. */
  chapters: string[];
  heading: string;
}

/**
 * Reads a title, which names the chapters above it too, and a part of a long section its number: "Operation › Updating
 * (2)".
 */
export function readTitle(title: string): TitlePath {
  const chapters = title.replace(/ \(\d+\)$/, '').split(' › ');
  return { heading: chapters.pop() ?? '', chapters };
}
