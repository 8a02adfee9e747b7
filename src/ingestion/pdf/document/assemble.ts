import type { PageLines } from '../layout/page.js';
import { buildBlocks } from './blocks.js';
import { measureBody } from './body-style.js';
import { dropChapterLabels, nameLabels } from './chapter-labels.js';
import { dropContents } from './contents.js';
import { dropFurniture } from './furniture.js';
import { findHeadings } from './headings.js';
import { collectVocabulary } from './hyphenation.js';
import type { OutlineEntry } from './outline.js';
import { dropCover, gatherOpening } from './opening.js';
import { cutChapters } from './sections.js';
import { sizeSections, type SizedSection } from './size-sections.js';
import type { SizeLimits } from './split-long.js';
import { dropStamps } from './stamps.js';
import { hasWords, stripNumber } from './titles.js';

/** The document's own title, as its file states it; many state a file name or nothing. */
function openingTitle(stated: string, pages: readonly PageLines[]): string {
  const title = stripNumber(stated, false);
  if (
    title.length > 2 &&
    !/\.(docx?|tex|pdf|indd|odt|pptx?|dvi|xml)$|^untitled|^microsoft word/i.test(title)
  ) {
    return title.slice(0, 160);
  }
  const lines = pages.find((page) => page.lines.length > 0)?.lines ?? [];
  const largest = lines.reduce(
    (size, line) => (hasWords(line.text) ? Math.max(size, line.size) : size),
    0,
  );
  const first = lines.find((line) => line.size === largest && hasWords(line.text));
  return first === undefined ? 'Document' : first.text.slice(0, 160);
}

/**
 * From the lines of all pages to sections: furniture and contents dropped, headings found, paragraphs, lists, code
 * and tables built, hyphens joined, and sections brought to size.
 * @param title the title in the PDF's own metadata, or nothing
 */
export function assembleSections(
  pages: readonly PageLines[],
  outline: readonly OutlineEntry[],
  title: string,
  limits: SizeLimits,
): SizedSection[] {
  const kept = dropContents(dropStamps(dropFurniture(pages, outline)));
  const body = measureBody(kept);
  const headings = nameLabels(kept, findHeadings(kept, outline, body), body);
  const vocabulary = collectVocabulary(kept);
  const blocks = buildBlocks(dropChapterLabels(kept, headings), headings, body, vocabulary);
  const opening = openingTitle(title, kept);
  const chapters = gatherOpening(cutChapters(blocks, opening), opening);
  return sizeSections(dropCover(chapters, opening), limits);
}
