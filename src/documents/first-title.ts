import { isContentsTitle } from '../sections/titles.js';
import { headingWords } from './heading-words.js';
import { findElements, lineOf, makeElement, type Element } from './tree.js';

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

/** Has all chapters of a text below its title, where an author gave both the same level. */
export function placeUnderTitle(body: Element): void {
  const [first, ...others] = findElements(body, ({ name }) => /^h[1-6]$/.test(name));
  if (first === undefined || others.some(({ name }) => name < first.name)) return;
  const same = others.filter(({ name }) => name === first.name);
  const title = lineOf(makeElement('h1', headingWords(first)));
  if (same.length < leastChapters || isContentsTitle(title) || /^[\d(]|[?:]$/.test(title)) return;
  if (chapterName.test(title)) return;
  const [name = ''] = title.split(/\s+[-–—:|(]|:\s/u);
  const times = lineOf(body).toLowerCase().split(name.toLowerCase()).length - 2;
  if (!documentKind.test(title) && (times < leastTimes || name.length < 3)) return;
  for (const heading of others) heading.name = `h${Math.min(6, Number(heading.name.slice(1)) + 1)}`;
}
