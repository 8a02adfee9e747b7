import type { PageLines, Line } from '../layout/page.js';
import { buildBlocks } from './blocks.js';
import { measureBody, textSize, weigh } from './body-style.js';
import { dropChapterLabels, nameLabels } from './chapter-labels.js';
import { dropContents, dropListsOfTitles } from './contents.js';
import { dropFurniture } from './furniture.js';
import { findHeadings } from './headings.js';
import { collectVocabulary } from './hyphenation.js';
import { joinTables } from './join-tables.js';
import type { OutlineEntry } from '../reader/syntax/bookmarks.js';
import { dropOverlays } from './overlays.js';
import { dropCover, gatherOpening, openingTitle } from './opening.js';
import { cutChapters, dropEmpty } from './sections.js';
import { placeCaptions } from './place-captions.js';
import { nameTerms } from './name-terms.js';
import { markListings } from './listings.js';
import { readTypedText } from './typed-text.js';
import { pairNotes } from './pair-notes.js';
import { foldClauses } from '../../sections/fold-clauses.js';
import { sizeSections, type SizedSection } from '../../sections/size-sections.js';
import type { SizeLimits } from '../../sections/split-long.js';

/**
 * Converts the lines of all pages to sections: removes page furniture and contents, finds headings, builds paragraphs,
 * lists, code and tables, joins hyphenated words, and brings sections to size.
 * @param title the title in the PDF's metadata; may be empty
 */
export function assembleSections(
  pages: readonly PageLines[],
  bookmarks: readonly OutlineEntry[],
  title: string,
  limits: SizeLimits,
): SizedSection[] {
  const bare = dropStamps(dropFurniture(pages, bookmarks));
  const { pages: slides, outline } = dropOverlays(bare, bookmarks);
  const filled = dropContents(slides);
  const body = measureBody(filled);
  const kept = body.typed ? readTypedText(filled, body) : filled;
  markListings(kept, body);
  const headings = nameLabels(kept, findHeadings(kept, outline, body), body);
  const vocabulary = collectVocabulary(kept);
  const labelled = dropChapterLabels(kept, headings);
  const built = joinTables(buildBlocks(labelled, headings, body, vocabulary));
  const blocks = nameTerms(pairNotes(placeCaptions(built)));
  const opening = openingTitle(title, kept);
  const chapters = gatherOpening(dropListsOfTitles(cutChapters(blocks, opening)), opening);
  return sizeSections(dropEmpty(foldClauses(dropCover(chapters, opening))), limits);
}

/** A stamp is on at least this share of the pages, and on at least this many. */
const share = 0.6;
const minPages = 4;
/** A watermark is at least this many times larger than the text. */
const watermarkSize = 1.8;
/** The contents beside every slide are at most this many times as large as the text. */
const sidebarSize = 0.7;
/** Download notices and licences are within this share of the page's width or height from its edges. */
const edge = 0.08;

function keyOf(line: Line): string {
  return `${Math.round(line.x / 2)} ${Math.round(line.y / 2)} ${line.text.replace(/\d+/g, '#')}`;
}

/**
 * Removes stamps from the pages: a watermark, or a notice in the margin, at the same place of most pages. Repeated form
 * labels stay, because they have the text's size and are within it.
 */
function dropStamps(pages: readonly PageLines[]): PageLines[] {
  if (pages.length < minPages) return [...pages];
  const size = textSize(pages);
  const isApart = (line: Line, page: PageLines) =>
    line.size >= watermarkSize * size ||
    line.size < sidebarSize * size ||
    line.y < edge * page.height ||
    line.y > (1 - edge) * page.height ||
    line.right < edge * page.width ||
    line.x > (1 - edge) * page.width;
  const times = new Map<string, number>();
  for (const page of pages) {
    const keys = new Set(page.lines.filter((line) => isApart(line, page)).map(keyOf));
    for (const key of keys) weigh(times, key);
  }
  const often = Math.max(minPages, share * pages.length);
  return pages.map((page) => {
    const isStamp = (line: Line) => isApart(line, page) && (times.get(keyOf(line)) ?? 0) >= often;
    const lines = page.lines.filter((line) => !isStamp(line));
    return lines.length === page.lines.length ? page : { ...page, lines };
  });
}
