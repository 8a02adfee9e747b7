import { spread } from './inline-nodes.js';
import { findElement, findElements, lineOf, namesOf, type Element } from './tree.js';

/** So many elements that are named as headings are. */
const least = 3;
/** In characters. */
const longest = 150;

const headingName =
  /^(?:((?:sub)*)(?:section|sect|chapter)[-_]?(\d?)[-_]?(?:title|heading|header)|heading[-_]?(\d)|h([1-6])(?:[-_]?title)?)$/;

/** Makes headings of elements that a style sheet only draws so: `<div class="section2-title">`. */
export function nameHeadings(body: Element): void {
  const found = findElements(body, (element) => {
    if (!/^(?:div|p)$/.test(element.name) || levelOf(element) === undefined) return false;
    const holdsMore = ({ name }: Element) => /^(?:h[1-6]|p|ul|ol|pre|table|dl|img)$/.test(name);
    const words = lineOf(element);
    return words !== '' && words.length <= longest && findElement(element, holdsMore) === undefined;
  });
  if (found.length < least) return;
  for (const element of found) {
    element.name = `h${levelOf(element)}`;
    element.children = spread(element.children);
  }
}

function levelOf(element: Element): number | undefined {
  for (const name of namesOf(element)) {
    const [all, subs = '', section, heading, h] = headingName.exec(name) ?? [];
    if (all === undefined) continue;
    const stated = Number(heading ?? h);
    if (stated > 0) return Math.min(6, stated);
    const deeper = all.includes('chapter') ? 1 : 2 + subs.length / 3;
    return Math.min(6, section ? Number(section) + 1 : deeper);
  }
  return undefined;
}
