/** Between the parts of a heading path, as sections are titled: "Installation › Network settings". */
export const titleSeparator = ' › ';

/** The position of an entry in its document, parsed from its title. */
export interface TitlePath {
  /** The chapters above the heading, the outermost first. */
  chapters: string[];
  heading: string;
}

/** Parses a title of chapters and heading, with a number for a part of a long section: "Operation › Updating (2)". */
export function readTitle(title: string): TitlePath {
  const chapters = title.replace(/ \(\d+\)$/, '').split(titleSeparator);
  return { heading: chapters.pop() ?? '', chapters };
}
