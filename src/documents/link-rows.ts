import { withoutText } from './hidden-elements.js';
import {
  findElement,
  findElements,
  isElement,
  lineOf,
  makeElement,
  type Element,
  type TreeNode,
} from './tree.js';

// Rows and lists of links around the content of a page, which lead to other pages or through the page itself.

/** A list of so many links to other pages is an index: what they are about is told there. */
const leastIndex = 30;

export function isIndex(list: Element): boolean {
  const links = findElements(list, ({ name }) => name === 'a');
  const isOwn = ({ attributes }: Element) => !/^(?:[a-z]+:)?\/\//i.test(attributes['href'] ?? '');
  return links.length >= leastIndex && linkShare(list) > 0.8 && links.every(isOwn);
}

/** A link to the top of the page, alone. */
export function isWayUp(element: Element): boolean {
  if (!isShort(element, longestRow)) return false;
  const link = findElement(element, ({ name }) => name === 'a');
  if (!link?.attributes['href']?.startsWith('#')) return false;
  const words = [lineOf(element), wordsOf(link)].find((text) => text !== '') ?? '';
  return /^\W*(?:(?:back |return |go )?(?:to )?(?:the )?(?:top(?: of (?:the )?page)?|toc|(?:table of )?contents)|nach oben|zum anfang|arriba|volver arriba)\W*$/i.test(
    words,
  );
}

/** The words of a link, or of the picture that stands for them. */
function wordsOf(link: Element): string {
  const picture = findElement(link, ({ name }) => name === 'img');
  return lineOf(link) || (picture?.attributes['alt'] ?? '');
}

/** In characters: rows of links above a page's heading are shorter. */
const longestRow = 300;

/** Takes away rows of links above the first heading and the first text: the way to the page, and menus. */
export function withoutLeadingLinks(content: Element): Element {
  // Without a heading, they may be all that the page says.
  let hasBegun = findElement(content, ({ name }) => /^h[1-6]$/.test(name)) === undefined;
  const walk = (element: Element): Element => {
    const children = element.children.flatMap((child): TreeNode[] => {
      if (hasBegun || !isElement(child)) return [child];
      if (/^h[1-6]$/.test(child.name) || child.name === 'pre') hasBegun = true;
      else if (/^(?:div|p|table|td|center|ul|ol|span)$/.test(child.name) && isLinkRow(child))
        return [];
      else if (child.name === 'p' && textLength(child) > 80) hasBegun = true;
      return hasBegun ? [child] : [walk(child)];
    });
    return { ...element, children };
  };
  return walk(content);
}

/** True for an element with less text; it is not read any further than that. */
export function isShort(element: Element, most: number): boolean {
  let left = most;
  const read = (node: TreeNode): boolean => {
    if (typeof node === 'string') return (left -= node.length) >= 0;
    return node.children.every(read);
  };
  return read(element);
}

function isLinkRow(element: Element): boolean {
  if (!isShort(element, 2 * longestRow)) return false;
  const text = lineOf(element);
  if (text.length > longestRow || findElement(element, isMainHeading) !== undefined) return false;
  const links = findElements(element, ({ name }) => name === 'a');
  // Signs of those who made the page.
  if (text === '') return links.length > 0 && links.every((link) => wordsOf(link) !== '');
  const crumbs = text.match(/[»›]|\s[>|]\s/gu)?.length ?? 0;
  const share = linkShare(element);
  return (
    share > 0.95 ||
    (links.length >= 3 && share > 0.6) ||
    (links.length >= 1 && crumbs >= links.length - 1 && crumbs > 0 && share > 0.4)
  );
}

export const isMainHeading = ({ name }: Element) => name === 'h1' || name === 'h2';

const turning =
  /^\W*(?:next|prev(?:ious)?|up|home|top|index|contents|back|weiter|zurück|vor|nach oben|inhalt|siguiente|anterior|inicio|arriba|índice)\b/iu;

/** True for a row of links to the neighbours of a page: "Next: Backup, Previous: Updates, Up: Maintenance [Contents]". */
export function isPaging(element: Element): boolean {
  const text = lineOf(element);
  if (text.length >= 400) return false;
  const named =
    text.match(/\b(?:next|prev(?:ious)?|up|weiter|zurück|siguiente|anterior)\s*:/giu) ?? [];
  const links = findElements(element, ({ name }) => name === 'a').filter((link) =>
    turning.test(wordsOf(link)),
  );
  return named.length >= 2 || links.length >= 2;
}

/**
 * Nodes without rows of links that stand in no element of their own: lines that all lead to places on the page, which
 * are its contents, and the way to its neighbours.
 */
export function withoutLinkRuns(nodes: TreeNode[]): TreeNode[] {
  if (!nodes.some((node) => isElement(node, 'a'))) return nodes;
  const kept: TreeNode[] = [];
  let run: TreeNode[] = [];
  const end = () => {
    const links = run.filter((node) => isElement(node, 'a'));
    const breaks = run.filter((node) => isElement(node, 'br')).length;
    const isWithin = links.every(({ attributes }) => attributes['href']?.startsWith('#'));
    const isContents = links.length >= 3 && links.length <= breaks + 1 && isWithin;
    const isWay =
      links.length >= 2 &&
      links.every((link) => turning.test(wordsOf(link))) &&
      isPaging(makeElement('div', run));
    if (!isContents && !isWay) kept.push(...run);
    run = [];
  };
  for (const node of nodes) {
    if (isElement(node) ? /^(?:a|br)$/.test(node.name) : /^[\s|·•\[\]]*$/.test(node))
      run.push(node);
    else {
      end();
      kept.push(node);
    }
  }
  end();
  return kept;
}

/** A menu has at least so many links. */
const leastMenu = 6;

/** True for a cell beside the text of a page with links to other pages of its site alone. */
export function isMenuCell(cell: Element): boolean {
  if (!isShort(cell, 8 * longestRow)) return false;
  const links = findElements(cell, ({ name }) => name === 'a');
  const others = links.filter(({ attributes }) => /^[^#]/.test(attributes['href'] ?? ''));
  return others.length >= leastMenu && others.length === links.length && linkShare(cell) > 0.75;
}

/** The share of an element's text that is in links, from 0 to 1. */
export function linkShare(element: Element): number {
  const all = textLength(element);
  if (all === 0) return 0;
  const links = findElements(
    element,
    ({ name, attributes }) => name === 'a' && attributes['href'] !== undefined,
  );
  return links.reduce((sum, link) => sum + textLength(link), 0) / all;
}

export function textLength(element: Element): number {
  let length = 0;
  for (const child of element.children) {
    if (typeof child === 'string') length += child.replaceAll(/\s+/g, ' ').trim().length;
    else if (!withoutText.has(child.name)) length += textLength(child);
  }
  return length;
}
