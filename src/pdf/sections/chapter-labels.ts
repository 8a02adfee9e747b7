import type { Line, PageLines } from '../layout/page.js';
import type { BodyStyle } from './body-style.js';
import type { Heading } from './heading.js';

// A part of a book and its number, alone on a line: "Chapter 3", "Kapitel IV.", "Apéndice B", "2. Teil".
const label =
  /^(?:(?:chapter|part|appendix|section|kapitel|teil|anhang|abschnitt|cap[ií]tulo|parte|ap[eé]ndice|anexo|secci[oó]n|chapitre|capitolo|hoofdstuk)\s+(?:\d{1,3}|[ivxlc]{1,7}|[a-z])[.:]?|\d{1,3}\.\s*(?:kapitel|teil|abschnitt))$/iu;

// Some LaTeX classes spell out the number below the word: "CHAPTER", "FOUR", and then the title.
const ones = 'ONE|TWO|THREE|FOUR|FIVE|SIX|SEVEN|EIGHT|NINE';
const teens =
  'TEN|ELEVEN|TWELVE|THIRTEEN|FOURTEEN|FIFTEEN|SIXTEEN|SEVENTEEN|EIGHTEEN|NINETEEN|TWENTY|THIRTY';
const spelled = new RegExp(
  `^(CHAPTER|APPENDIX|KAPITEL|ANHANG|CAP[IÍ]TULO|AP[EÉ]NDICE|(${ones}|${teens})([- ]?(${ones}))?)$`,
  'u',
);

function isLabelText(text: string): boolean {
  return label.test(text.trim()) || spelled.test(text.trim());
}

/**
 * Merges labels with the titles below them: "Part II" is no title, but the large line below it is. A smaller line below
 * a label is text.
 */
export function nameLabels(
  pages: readonly PageLines[],
  headings: readonly Heading[],
  body: BodyStyle,
): Heading[] {
  const lines = pages.flatMap((page) => page.lines);
  const places = new Map(lines.map((line, index) => [line, index]));
  const starts = new Set(headings.flatMap((heading) => heading.lines.slice(0, 1)));
  return headings.flatMap((heading): Heading[] => {
    const last = heading.lines.at(-1);
    const next = last === undefined ? undefined : lines[(places.get(last) ?? -1) + 1];
    if (last === undefined || next?.page !== last.page || !isLabelText(heading.title))
      return [heading];
    if (starts.has(next)) return [];
    const isLarge = next.size >= 1.12 * body.size && next.size >= 0.9 * last.size;
    const isTitle = isLarge && /\p{L}{2}/u.test(next.text);
    return isTitle
      ? [{ ...heading, title: next.text, lines: [...heading.lines, next] }]
      : [heading];
  });
}

/** Removes labels on a line of their own above a chapter's title, because the title is enough. */
export function dropChapterLabels(
  pages: readonly PageLines[],
  headings: readonly Heading[],
): PageLines[] {
  const titles = new Set(headings.flatMap(({ lines }) => lines.slice(0, 1)));
  const ofHeadings = new Set(headings.flatMap(({ lines }) => lines));
  return pages.map((page) => {
    // From bottom to top, because a label may be above another.
    const labels = new Set<Line>();
    for (let at = page.lines.length - 2; at >= 0; at--) {
      const line = page.lines[at];
      const next = page.lines[at + 1];
      if (line === undefined || next === undefined || ofHeadings.has(line)) continue;
      const isAbove = titles.has(next) || labels.has(next);
      // "A" above "Licence" counts appendices. "A" above "Archive" opens a part of a glossary.
      const isLetter = /^[A-Z]$/.test(line.text) && !next.text.startsWith(line.text);
      if (isAbove && (isLetter || isLabelText(line.text))) labels.add(line);
    }
    if (labels.size === 0) return page;
    return { ...page, lines: page.lines.filter((line) => !labels.has(line)) };
  });
}
