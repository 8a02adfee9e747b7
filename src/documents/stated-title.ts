import { isContentsTitle, titleKey } from '../sections/titles.js';
import { isFilled, isStyled, wordsOf, type OfficeBlock } from './office-blocks.js';
import { findElements, lineOf, type Element } from './tree.js';

/** Word takes a title from one of so many first lines. */
const firstLines = 60;
/** What a file states that was made of a template, or has no name yet. */
const noTitle =
  /template|vorlage|plantilla|^(?:untitled|unbenannt|sin título|do[ck]ument\w?) ?\d*$/i;

/** What a document is called that only says its kind. */
const kindOnly =
  /^(?:\p{L}+['’]?s? )?(?:(?:quick ?start|programming|reference|installation) )?(?:guide|manual|handbook|reference|tutorial)$|^\p{L}*(?:handbuch|anleitung|einführung)$|^(?:manual|gu[ií]a)(?: del? \p{L}+)?$/iu;
/** Words of the name of a file that name nothing. */
const noName = /^(?:draft|final|docs?|user|quick|full|copy|entwurf|kopie)$/i;
/** Two words or more, or one that is in no dictionary. */
const isName = /^\p{L}+[^\p{L}\s]|\p{Ll}\p{Lu}|\S \S/u;
/** A first line that occurs this often in the text is what the text is about. */
const mostTimes = 3;

export interface StatedTitle {
  title: string;
  /** True if it is the title of the whole text: the file states it, or the text names it again and again. */
  isOwn: boolean;
}

/**
 * The title that a file states, if it is one. Word states the first words of a text, and templates state their own
 * title: then it is the first line of the text, if that looks like one. A text without such a line and without headings
 * has no other title than the one that the file states.
 */
export function statedTitle(stated: string, blocks: readonly OfficeBlock[]): StatedTitle {
  const title = stated.replace(/^Microsoft (?:Office )?Word - /i, '').replace(/\.docx?$/i, '');
  const lines = blocks.map((block) =>
    block.kind === 'element' ? lineOf(block.element) : wordsOf(block),
  );
  const key = titleKey(title);
  const isBeginning = lines.slice(0, firstLines).some((line) => {
    const begins = titleKey(line.slice(0, 2 * title.length + 20)).startsWith(key);
    return begins && line.length > title.length + 3;
  });
  const isLine = lines.some((line) => titleKey(line.slice(0, title.length + 20)) === key);
  const text = lines.join(' ').toLowerCase();
  const words = title.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  const isShown = words.length > 0 && words.every((word) => text.includes(word));
  if (isShown && (isLine || !isBeginning) && !isContentsTitle(title) && !title.endsWith(':'))
    return { title, isOwn: true };
  const first = blocks.find(isFilled);
  const line = first?.kind === 'paragraph' ? wordsOf(first) : '';
  if (line.length >= 3 && line.length <= 80 && !/[.,;:!?]$/.test(line))
    return {
      title: line,
      isOwn: isName.test(line) && text.split(line.toLowerCase()).length > mostTimes,
    };
  const isOnly = words.length > 0 && !isBeginning && !blocks.some(isStyled);
  return { title: isOnly && !noTitle.test(title) ? title : '', isOwn: true };
}

/** The title of a text with several chapters, or of its book, if an author wrote it and no heading says it; else empty. */
export function titleAbove(body: Element, title: string, isPart = false): string {
  // Editors and programs that had no title state one too.
  const isNone =
    !/\p{L}{2}/u.test(title) ||
    /^(?:untitled|unbenannt|index|home|title|no title|new page|document)\b|^\S+\.\w{1,5}$/i.test(
      title,
    );
  return !isNone && needsTitle(body, title, isPart) ? title : '';
}

/** True for a text with several chapters, or a part of a book, whose headings do not say its title. */
export function needsTitle(body: Element, title: string, isPart = false): boolean {
  const key = titleKey(title);
  const headings = findElements(body, ({ name }) => /^h[1-6]$/.test(name));
  const keys = headings.map((heading) => titleKey(lineOf(heading)));
  const [first = ''] = keys;
  const top = headings.map(({ name }) => name).sort()[0];
  const chapters = headings.filter(({ name }) => name === top);
  const isTold = first.includes(key) || key.includes(first) || keys.includes(key);
  return !isTold && (isPart || chapters.length > 1 || headings[0]?.name !== top);
}

/** The title, with the word before it in the name of the file if it only says a kind: "OpenNI User Guide". */
export function withName(title: string, fileName: string): string {
  const words = fileName.replaceAll(/^.*[\\/]|\.[^.]*$/g, '').split(/[-_.\s]+/);
  const at = words.findIndex(
    (_, from) => from > 0 && titleKey(words.slice(from).join('')).startsWith(titleKey(title)),
  );
  const name = words[at - 1] ?? '';
  const isTelling = /^(?:\p{Lu}{2}|\p{L}{4})/u.test(name) && !noName.test(name);
  const isNamed = titleKey(title).startsWith(titleKey(name));
  return isTelling && !isNamed && kindOnly.test(title) ? `${name} ${title}` : title;
}
