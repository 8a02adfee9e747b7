import { escapeProse } from '../../platform/text/escape-markdown.js';
import { greatest, type PageLines } from '../layout/page.js';
import type { Block } from '../../sections/block.js';
import { weigh } from './body-style.js';
import type { Chapter } from '../../sections/chapter.js';
import { continuesTitle, isAbstractTitle, titleSize } from './title-lines.js';
import {
  hasWords,
  numberDepth,
  stripNumber,
  titleKey,
  withoutMarks,
} from '../../sections/titles.js';

/** A heading that opens a section has more text below it; a name on a title page has less. */
const briefText = 200;
/** A title page with its imprint has at most this many letters: name, authors, version, licence. */
const maxTitlePage = 3000;
/** The title of what stands below the abstract of a paper. */
const keywords = /^(?:key ?words|index terms|schlüsselwörter|schlagwörter|palabras clave)$/iu;
/** In letters: names, version and date on a title page. */
const maxImprint = 400;
/** The end of a sentence, with the words before it. */
const sentence = /(?:\p{L}+,? ){4}\p{L}+[.!?](?:\s|$)/u;
/** In letters: title, authors and addresses above the abstract of a paper. */
const maxHead = 1000;
/** Shorter documents have a title, but no title page. */
const bookPages = 8;

/** In characters. */
const longestOpening = 160;
/** The name of a file, or of nothing, which programs state as the title. */
const noTitle =
  /\.(docx?|tex|pdf|indd|odt|pptx?|dvi|xml)$|^untitled|^microsoft word|^[^\s_]+(_[^\s_]+)+( \d+)?$/i;

/** The document's title as its file states it, else the largest words of its first page, which may have several lines. */
export function openingTitle(stated: string, pages: readonly PageLines[]): string {
  const title = stripNumber(stated, false);
  const page = pages.find(({ lines }) => lines.length > 0);
  if (title.length > 2 && !noTitle.test(title)) return title.slice(0, longestOpening);
  const size = page === undefined ? 0 : titleSize(page);
  const lines = page?.lines ?? [];
  const start = lines.findIndex((line) => line.size === size && hasWords(line.text));
  let text = lines[start]?.text ?? 'Document';
  for (let at = start + 1; start >= 0 && at < lines.length; at++) {
    const [previous, line] = [lines[at - 1], lines[at]];
    if (previous === undefined || line === undefined) break;
    if (!continuesTitle(previous, line)) break;
    text += ` ${line.text}`;
  }
  return withoutMarks(text).slice(0, longestOpening);
}

function textLength(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + block.text.length, 0);
}

function linesOf({ printed, blocks, pageFrom }: Chapter): Block[] {
  if (printed === '') return blocks;
  return [{ kind: 'paragraph', text: escapeProse(printed), pageFrom, pageTo: pageFrom }, ...blocks];
}

/** How many of the first chapters are not chapters, but large lines of a title page or of a paper's head. */
function countOpening(chapters: readonly Chapter[]): number {
  const page = chapters[0]?.pageFrom ?? 1;
  const isBook = (chapters.at(-1)?.pageTo ?? 0) - page + 1 >= bookPages;
  const levels = new Map<number, number>();
  for (const { level } of chapters) weigh(levels, level);
  const isSection = (chapter: Chapter) =>
    chapter.pageFrom !== page ||
    chapter.pageTo !== page ||
    textLength(chapter.blocks) >= briefText ||
    numberDepth(chapter.printed) > 0 ||
    // On a card of short sections, all headings look alike and differ from the title.
    (!isBook && chapter.blocks.length > 0 && (levels.get(chapter.level) ?? 0) > 2);
  const count = Math.max(0, chapters.findIndex(isSection));
  const onPage = Math.max(
    0,
    chapters.findIndex(({ pageFrom }) => pageFrom !== page),
  );
  if (count === 0 || !isBook) return count;
  const first = chapters.slice(0, onPage);
  const isTitlePage =
    first.every(({ pageTo, printed }) => pageTo <= page + 1 && numberDepth(printed) === 0) &&
    textLength(first.flatMap(({ blocks }) => blocks)) < maxTitlePage;
  return isTitlePage ? Math.max(count, onPage) : count;
}

/** The head of a paper and its abstract as one chapter under the paper's title; undefined without an abstract. */
function joinAbstract(chapters: readonly Chapter[]): Chapter[] | undefined {
  const at = chapters.findIndex(({ path }) => isAbstractTitle(path.at(-1) ?? ''));
  const [first] = chapters;
  const abstract = chapters[at];
  if (first === undefined || abstract === undefined || at === 0) return undefined;
  if (abstract.pageFrom !== first.pageFrom) return undefined;
  const head = chapters.slice(0, at);
  const lead = head.flatMap(linesOf);
  if (textLength(lead) > maxHead || head.some(({ printed }) => numberDepth(printed) > 0)) {
    return undefined;
  }
  const names = new Set(head.map(({ path }) => path.at(-1)));
  const [next, ...others] = chapters.slice(at + 1);
  const words = next !== undefined && keywords.test(next.path.at(-1) ?? '') ? [next] : [];
  const rest = words.length > 0 || next === undefined ? others : [next, ...others];
  const blocks = [...abstract.blocks, ...words.flatMap(linesOf)];
  return [
    { ...abstract, path: first.path.slice(-1), lead, blocks },
    ...rest.map((chapter) => withoutNames(chapter, names)),
  ];
}

/** The title page applies to every section, so its words do not help in section titles. */
function withoutNames(chapter: Chapter, names: ReadonlySet<string | undefined>): Chapter {
  const own = chapter.path.length - 1;
  return { ...chapter, path: chapter.path.filter((title, at) => at === own || !names.has(title)) };
}

/**
 * Merges the lines of a title page (name, authors, version) into one chapter titled `opening`. The head of a paper
 * continues in the section below it.
 */
export function gatherOpening(chapters: readonly Chapter[], opening: string): Chapter[] {
  const paper = joinAbstract(chapters);
  if (paper !== undefined) return paper;
  const count = countOpening(chapters);
  const head = chapters.slice(0, count);
  const [first] = head;
  const next = chapters[count];
  if (first === undefined || next === undefined) return [...chapters];
  const blocks = head.flatMap(linesOf);
  const goesOn = next.pageFrom === first.pageFrom && textLength(blocks) < briefText;
  if (count === 1) {
    // An author or a number stands above the title.
    const isAbove =
      goesOn && first.printed === '' && titleKey(next.path[0] ?? '') === titleKey(opening);
    return isAbove ? [{ ...next, lead: blocks }, ...chapters.slice(2)] : [...chapters];
  }
  const isName = ({ level, path }: Chapter) =>
    next.pageFrom !== first.pageFrom ||
    titleKey(path.at(-1) ?? '') === titleKey(opening) ||
    chapters.filter((chapter) => chapter.level === level).length === 1;
  const names = new Set(head.filter(isName).map(({ path }) => path.at(-1)));
  // A page of a manual that is as short as a title page names sections that return in the next one.
  for (const { path } of chapters.slice(count)) names.delete(path.at(-1));
  const rest = chapters.slice(count).map((chapter) => withoutNames(chapter, names));
  const [section, ...others] = rest;
  // Titles without text join the next section anyway.
  if (goesOn && head.every((chapter) => chapter.blocks.length === 0)) return [...head, ...rest];
  if (section !== undefined && goesOn) return [{ ...section, lead: blocks }, ...others];
  const { pageFrom } = first;
  const pageTo = greatest(head, (chapter) => chapter.pageTo);
  return [{ path: [opening], level: 1, printed: '', blocks, pageFrom, pageTo }, ...rest];
}

/** True for names, versions and dates without a sentence. */
function isImprint(lines: readonly Block[]): boolean {
  const isName = ({ kind, text }: Block) =>
    (kind === 'paragraph' || kind === 'item') && !sentence.test(text);
  return textLength(lines) < maxImprint && lines.every(isName);
}

/**
 * Removes a title page that only names the document, its parts, authors, version and date. Above the first section, on
 * its page, a title belongs to that.
 */
export function dropCover(chapters: readonly Chapter[], opening: string): readonly Chapter[] {
  const [cover, next, ...others] = chapters;
  if (cover === undefined || next === undefined || cover.blocks.length === 0) return chapters;
  const lines = linesOf(cover);
  const title = cover.path.at(-1) ?? '';
  const own = titleKey(opening);
  const isAbove = [next, ...others].every(({ level }) => level > cover.level);
  if (cover.pageTo < next.pageFrom) {
    const names = new Set([next, ...others].map(({ path }) => titleKey(path.at(-1) ?? '')));
    const isNamed = lines.every(({ text }) => names.has(titleKey(text)));
    const isBook = (others.at(-1)?.pageTo ?? 0) - cover.pageFrom + 1 >= bookPages;
    const isTitle = isAbove || (isBook && titleKey(title) === own);
    return isNamed || (isTitle && isImprint(lines)) ? [next, ...others] : chapters;
  }
  const isTitle = cover.printed === '' || (isAbove && titleKey(title) === own);
  const isWithin = next.path.length > 1 && next.path[0] === title;
  if (!isTitle || isWithin || textLength(lines) >= briefText || !isImprint(lines)) return chapters;
  return [{ ...next, lead: [...lines, ...(next.lead ?? [])] }, ...others];
}
