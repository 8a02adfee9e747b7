import { titleKey } from '../sections/titles.js';
import { headingWords } from './heading-words.js';
import { isBlock, withOuterBreaks } from './inline-nodes.js';
import {
  findElement,
  findElements,
  isElement,
  isHeading,
  lineOf,
  makeElement,
  type Element,
  type TreeNode,
} from './tree.js';

/** So many places of a page that its links name with the words that stand there. */
const least = 3;
/** In characters: a shorter key names nothing. */
const shortestKey = 3;

/** What links within a page say of the places where they lead. */
export type LinkedWords = ReadonlyMap<string, ReadonlySet<string>>;

export function linkedWords(root: Element): LinkedWords {
  const words = new Map<string, Set<string>>();
  for (const link of findElements(root, ({ name }) => name === 'a')) {
    const [, place] = /^#(.+)$/.exec(link.attributes['href'] ?? '') ?? [];
    const key = titleKey(lineOf(link));
    if (place === undefined || key.length < shortestKey) continue;
    words.set(place, (words.get(place) ?? new Set()).add(key));
  }
  return words;
}

/** Makes headings of lines that a list of contents names, where an author wrote them as paragraphs or bold words. */
export function nameLinked(body: Element, words: LinkedWords): void {
  const found = new Map<Element, [head: TreeNode[], rest: TreeNode[]]>();
  for (const block of findElements(body, isPlain)) {
    const nodes = block.children.flatMap(withOuterBreaks);
    const end = nodes.findIndex((node) => isElement(node, 'br'));
    const head = end < 0 ? nodes : nodes.slice(0, end);
    const line = makeElement('p', head, block.attributes);
    if (placesOf(line).some((place) => words.get(place)?.has(titleKey(wordsOf(line))) === true))
      found.set(block, [head, end < 0 ? [] : nodes.slice(end + 1)]);
  }
  if (found.size < least) return;
  let level = 1;
  let isWithin = false;
  for (const block of findElements(body, (element) => isHeading(element) || found.has(element))) {
    const [head, rest] = found.get(block) ?? [];
    if (head === undefined || rest === undefined) {
      const own = Number(block.name.slice(1));
      // Further headings below one of these do not end their row.
      if (!isWithin || own < level) [level, isWithin] = [own + 1, false];
      continue;
    }
    isWithin = true;
    const heading = makeElement(`h${Math.min(6, level)}`, head, block.attributes);
    block.name = 'div';
    block.attributes = {};
    block.children = [heading, makeElement('p', rest)];
  }
}

/** True for a block of lines alone. */
function isPlain(element: Element): boolean {
  return /^(?:p|div|center)$/.test(element.name) && findElement(element, isBlock) === undefined;
}

function wordsOf(line: Element): string {
  return lineOf(makeElement('p', headingWords(line)));
}

/** The names by which links lead to an element. */
function placesOf(element: Element): string[] {
  const inner = findElements(element, ({ name }) => name === 'a');
  return [element, ...inner].flatMap(({ attributes }) => [
    attributes['id'] ?? '',
    attributes['name'] ?? '',
  ]);
}
