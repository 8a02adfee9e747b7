import type { PdfSection } from '../../src/documents/threads/extract-pdf.js';
import { edgeKey, isPageNumber, repeatedEdges } from './page-edges.js';

/** Lines that a person who reads the entries would call leftovers of the page, by what they look like. */
export interface Leaks {
  numbers: string[];
  edges: string[];
  hyphens: string[];
  titles: string[];
}

/** Lines of running text: without code and tables, where a number may stand alone and a line may end in a hyphen. */
function proseLines(content: string): string[] {
  return content
    .replace(/^(`{3,})[^\n]*\n[\s\S]*?\n\1$/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('|'));
}

/** Every kind of leak in the entries; each example says in which entry it stands. */
export function findLeaks(
  sections: readonly PdfSection[],
  pages: readonly string[],
  ownTitle: (title: string) => string,
): Leaks {
  const leaks: Leaks = { numbers: [], edges: [], hyphens: [], titles: [] };
  const repeated = repeatedEdges(pages);
  const titles = new Set(sections.map(({ title }) => ownTitle(title).toLowerCase()));
  const seenTitles = new Map<string, string[]>();
  for (const { title, content, pageFrom } of sections) {
    for (const line of proseLines(content)) {
      const place = `page ${pageFrom}, ${ownTitle(title)}: ${line.trim().slice(0, 100)}`;
      const text = line.trim().toLowerCase();
      if (isPageNumber(line)) leaks.numbers.push(place);
      // A key without letters would be any number.
      else if (repeated.has(edgeKey(line)) && /\p{L}{3}/u.test(line)) leaks.edges.push(place);
      if (/\p{L}[-\u00ad\u2010]$/u.test(text)) leaks.hyphens.push(place);
      if (titles.has(text)) seenTitles.set(text, [...(seenTitles.get(text) ?? []), place]);
    }
  }
  leaks.titles = [...seenTitles.values()].filter((places) => places.length > 1).flat();
  return leaks;
}
