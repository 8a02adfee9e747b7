import { AppError } from '../platform/errors.js';
import { MarkupParser } from '../platform/text/markup-parser.js';

export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: TreeNode[];
}

/** An element, or text with its entities decoded. */
export type TreeNode = Element | string;

/** Elements that are nested deeper become children of the one at this depth, so that every walk may recurse. */
const deepest = 200;
/** What is nested deeper than this is no document. The parser takes quadratic time for it. */
const deepestParsed = 20_000;
/** In characters. Pictures inside an address are not needed. */
const longestAttribute = 4000;

export function makeElement(
  name: string,
  children: TreeNode[] = [],
  attributes: Record<string, string> = {},
): Element {
  return { name, attributes, children };
}

/** Parses HTML, or XML as it is inside of office files, into a tree. Errors: `damaged` when it is nested too deeply. */
export function parseMarkup(text: string, language: 'html' | 'xml'): Element {
  const root = makeElement('#root');
  const open: Element[] = [root];
  const parser = new MarkupParser(
    {
      onOpen(name, attributes, depth) {
        if (depth > deepestParsed) {
          throw new AppError('damaged', `The file nests elements ${deepestParsed} deep.`);
        }
        for (const key in attributes) {
          const value = attributes[key] ?? '';
          if (value.length > longestAttribute) attributes[key] = value.slice(0, longestAttribute);
        }
        const element = makeElement(name, [], attributes);
        const parent = language === 'html' ? parentOf(name, open) : open.at(-1);
        parent?.children.push(element);
        if (depth < deepest) open.push(element);
      },
      onClose(_, depth) {
        if (depth < deepest && open.length > 1) open.pop();
      },
      onText(data) {
        const siblings = open.at(-1)?.children;
        const last = siblings?.at(-1);
        if (siblings !== undefined && typeof last === 'string') {
          siblings[siblings.length - 1] = last + data;
        } else siblings?.push(data);
      },
    },
    language,
  );
  parser.write(text);
  parser.end();
  return root;
}

/** What an element ends that stands open around it, and the elements within which it looks for that. */
const ended: Record<string, [ends: RegExp, within: RegExp]> = {
  li: [/^li$/, /^(?:ul|ol|menu|dir)$/],
  dt: [/^d[dt]$/, /^dl$/],
  dd: [/^d[dt]$/, /^dl$/],
};
/** Elements that an item may leave open. */
const leftOpen = /^(?:p|font|center|small|big|a|b|i|em|strong|code|tt)$/;

/** Where a new element belongs, as browsers have it: behind an item whose paragraph was left open, not in it. */
function parentOf(name: string, open: readonly Element[]): Element | undefined {
  const last = open.at(-1);
  const [ends, within] = ended[name] ?? [];
  if (ends === undefined || within === undefined) return last;
  let at = open.length - 1;
  while (leftOpen.test(open[at]?.name ?? '')) at--;
  while (ends.test(open[at]?.name ?? '')) {
    at--;
    while (leftOpen.test(open[at]?.name ?? '')) at--;
  }
  return within.test(open[at]?.name ?? '') ? open[at] : last;
}

/**
 * Puts text that stands in an element without a place for it, as flat elements leave it, where a reader looks for it:
 * into new elements, down the `way` from the element's own name, such as a row, a cell and a paragraph of a table. They
 * take the place of the flat elements, which are empty.
 */
export function placeText(element: Element, way: readonly string[]): void {
  const at = way.indexOf(element.name);
  for (const child of element.children) if (typeof child !== 'string') placeText(child, way);
  if (
    at < 0 ||
    at === way.length - 1 ||
    !element.children.some((child) => typeof child === 'string' && child.trim())
  )
    return;
  const text = element.children.filter((child) => typeof child === 'string').join(' ');
  const placed = way
    .slice(at + 1)
    .reduceRight<TreeNode>((node, name) => makeElement(name, [node]), text);
  element.children = [placed];
}

export function isElement(node: TreeNode | undefined, ...names: string[]): node is Element {
  return typeof node === 'object' && (names.length === 0 || names.includes(node.name));
}

/** The child elements, of some names if any are given. */
export function childrenOf(element: Element, ...names: string[]): Element[] {
  return element.children.filter((child): child is Element => isElement(child, ...names));
}

/** The first element below this one that passes, in the order of the document. */
export function findElement(
  element: Element,
  passes: (element: Element) => boolean,
): Element | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (passes(child)) return child;
    const found = findElement(child, passes);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** All elements below this one that pass, in the order of the document; not those within one that passes. */
export function findElements(
  element: Element,
  passes: (element: Element) => boolean,
  found: Element[] = [],
): Element[] {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (passes(child)) found.push(child);
    else findElements(child, passes, found);
  }
  return found;
}

/** The text of an element as it is written, with all white space. */
export function rawText(node: TreeNode): string {
  if (typeof node === 'string') return node;
  if (node.name === 'br') return '\n';
  return node.children.map(rawText).join('');
}

/** True for a heading of any level. */
export function isHeading({ name }: Element): boolean {
  return /^h[1-6]$/.test(name);
}

/** The text of an element on one line. */
export function lineOf(node: TreeNode): string {
  return rawText(node).replaceAll(/\s+/gu, ' ').trim();
}

/** The words of an element's classes and id, in lower case. */
export function namesOf({ attributes }: Element): string[] {
  return `${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`.toLowerCase().split(/\s+/);
}
