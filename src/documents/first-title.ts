import { isContentsTitle } from '../sections/titles.js';
import { headingWords } from './heading-words.js';
import { findElement, findElements, isHeading, lineOf, makeElement, type Element } from './tree.js';

/** So many further headings of the same level. */
const leastChapters = 2;
/** A name that the text has so often is what the text is about. */
const leastTimes = 3;

/** What a title says of its document, in words of its own. */
const documentKind =
  /\b(?:guide|manual|handbook|tutorial|faq|howto|readme|reference|documentation|handbuch|anleitung|dokumentation|gu[ií]a|documentación)\b/i;
/** What first chapters are called. */
const chapterName =
  /^(?:introduc\w*|overview|about|install\w*|usage|using|getting|quick|what|why|how|basic\w*|build\w*|compil\w*|description|features|requirements|prerequisites|general|background|setup|summary|synopsis|name|new|purpose|preface|foreword|motivation|license|licence|changes|note|notes|welcome|einleitung|einführung|überblick|übersicht|vorwort|allgemein\w*|instalaci\w*|descripci\w*|resumen|uso)\b/i;

/** Has all chapters of a text below its title, where an author gave both the same level, or the title a deeper one. */
export function placeUnderTitle(body: Element): void {
  const [first, ...others] = findElements(body, isHeading);
  const top = others.map(({ name }) => name).sort()[0];
  if (first === undefined || top === undefined || first.name < top) return;
  const same = others.filter(({ name }) => name === top);
  const title = lineOf(makeElement('h1', headingWords(first)));
  if (same.length < leastChapters || isContentsTitle(title) || /^[\d(]|[?:]$/.test(title)) return;
  if (chapterName.test(title)) return;
  const [name = ''] = title.split(/\s+[-–—:|(]|:\s/u);
  if (!documentKind.test(title) && !isNamedOften(body, name)) return;
  first.name = top;
  for (const heading of others) heading.name = `h${Math.min(6, Number(heading.name.slice(1)) + 1)}`;
}

function isNamedOften(body: Element, name: string): boolean {
  return (
    name.length >= 3 && lineOf(body).toLowerCase().split(name.toLowerCase()).length > leastTimes + 1
  );
}

/** The name that a picture above the first heading shows, if the text has it again and again: a logo. `others`: addresses of other pictures. */
export function pictureName(body: Element, others: RegExp): string {
  const first = findElement(body, (element) => isHeading(element) || element.name === 'img');
  const { alt = '', src = '' } = first?.name === 'img' ? first.attributes : {};
  const words = others.test(src) ? '' : alt;
  const name = words.replaceAll(/\b(?:logo|banner|icon|image)\b/gi, '').trim();
  return /^\p{L}[\p{L}\p{N} .+-]{2,40}$/u.test(name) && isNamedOften(body, name) ? name : '';
}
