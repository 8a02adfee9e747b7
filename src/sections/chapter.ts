import { escapeInline } from '../platform/text/escape-markdown.js';
import { titleSeparator } from '../platform/text/heading.js';
import { shorten } from '../platform/text/shorten.js';
import type { Block } from './block.js';
import { titleKey } from './titles.js';

/** A part of the document under one heading, before its size is adjusted. */
export interface Chapter {
  /** Titles from the outermost to its own, without numbers. */
  path: string[];
  level: number;
  /** The heading as printed, because other sections refer to its number. Empty for text before the first heading. */
  printed: string;
  blocks: Block[];
  /** Text above the heading that belongs to it: the title and authors of a paper. */
  lead?: Block[];
  /** Headings around this one that have no text of their own, where it is the first below them. */
  outer?: Chapter[];
  pageFrom: number;
  pageTo: number;
}

/** The longest title that is readable in a list. Of deep paths, the outermost and innermost parts say most. */
const maxTitle = 160;

/**
 * The complete title of a chapter. Repeated parts are removed. Of long paths a long name of the document is shortened
 * first, and then parts in the middle are removed.
 * @param inner how many of the innermost parts stay if they are short enough together
 */
export function titleOf(path: readonly string[], inner = 1): string {
  const parts = path.filter((part, index) => titleKey(part) !== titleKey(path[index - 1] ?? ''));
  const [name = ''] = parts;
  if (parts.length > 1 && parts.join(titleSeparator).length > maxTitle) {
    parts[0] = shorten(name, maxTitle / 2).replace(/\s\S*…$/, '…');
  }
  const kept = parts.slice(-inner).join(titleSeparator).length <= maxTitle ? inner : 1;
  while (parts.length > 2 && parts.join(titleSeparator).length > maxTitle) {
    parts.splice(parts.length > kept + 1 ? 1 : 0, 1);
  }
  const title = parts.join(titleSeparator);
  return title.length <= maxTitle
    ? title
    : `${(parts.at(-1) ?? title).slice(0, maxTitle - 1).trimEnd()}…`.replace(/(?<!.{159})…$/, '');
}

/** A chapter's heading as a line of its text, with the number by which other chapters refer to it. */
export function headingOf(chapter: Chapter): Block[] {
  if (chapter.printed === '') return [];
  const { pageFrom } = chapter;
  const text = `### ${escapeInline(chapter.printed)}`;
  return [{ kind: 'heading', text, pageFrom, pageTo: pageFrom }];
}
