import type { Line, PageLines } from '../layout/page.js';
import type { Heading } from './heading.js';

// A word for a part of a book and its number, alone on a line: "Chapter 3", "Kapitel IV.", "Apéndice B", "2. Teil".
const label =
  /^(?:(?:chapter|part|appendix|section|kapitel|teil|anhang|abschnitt|cap[ií]tulo|parte|ap[eé]ndice|anexo|secci[oó]n|chapitre|capitolo|hoofdstuk)\s+(?:\d{1,3}|[ivxlc]{1,7}|[a-z])[.:]?|\d{1,3}\.\s*(?:kapitel|teil|abschnitt))$/iu;

/** The pages without the labels that stand on a line of their own above a chapter's title: the title says it all. */
export function dropChapterLabels(
  pages: readonly PageLines[],
  headings: readonly Heading[],
): PageLines[] {
  const titles = new Set(headings.flatMap(({ lines }) => lines.slice(0, 1)));
  const ofHeadings = new Set(headings.flatMap(({ lines }) => lines));
  return pages.map((page) => {
    const isLabel = (line: Line, at: number) => {
      const next = page.lines[at + 1];
      const isAbove = next !== undefined && titles.has(next);
      return isAbove && !ofHeadings.has(line) && label.test(line.text.trim());
    };
    const lines = page.lines.filter((line, at) => !isLabel(line, at));
    return lines.length === page.lines.length ? page : { ...page, lines };
  });
}
