import { titleKey, isContentsTitle } from '../sections/titles.js';
import { linkShare } from './link-rows.js';
import {
  childrenOf,
  findElements,
  isElement,
  isHeading,
  lineOf,
  rawText,
  type Element,
  type TreeNode,
} from './tree.js';

/** A list of links to places on the same page, at least so many. */
export function isContentsList(list: Element, least = leastLines): boolean {
  const links = findElements(list, ({ name }) => name === 'a');
  const within = links.filter(({ attributes }) => (attributes['href'] ?? '').startsWith('#'));
  if (links.length < least || within.length < 0.9 * links.length) return false;
  // Of a line, only its number may be the link.
  const numbers = within.filter((link) => /^\d+(?:\.\d+)*[.)]?$/.test(lineOf(link)));
  const items = findElements(list, ({ name }) => name === 'li' || name === 'tr').length;
  return linkShare(list) > 0.8 || (numbers.length > 0.9 * links.length && items === links.length);
}

const isAnyHeading = (node: TreeNode | undefined) => isElement(node) && isHeading(node);
/** The share of lines that are headings of the document; above all text, a list may name other documents too. */
const mostly = 0.8;
const half = 0.5;
const leastLines = 3;
/** A line of contents: a number of one level or several, and words that end no sentence. */
const entry = /^(?:\d{1,2}|[A-Z])\.(?:\d{1,2}\.?)*\s+\S.{0,150}[^.:;,]$/;

/** The document without lists of its own headings, however they are written. */
export function withoutContents(given: Element): Element {
  const body = withoutNamedContents(given);
  const headings = findElements(body, isHeading);
  const keys = new Set(headings.map((heading) => titleKey(lineOf(heading))));
  if (keys.size < 3) return body;
  let passed = 0;
  const walk = (element: Element): Element => {
    const kept: TreeNode[] = [];
    // Blocks side by side with nothing but headings of the document, and the number of their lines.
    let run: TreeNode[] = [];
    let length = 0;
    const end = (next?: TreeNode) => {
      const above = kept.findLast((node) => typeof node !== 'string' || node.trim() !== '');
      // What a sentence announces within the text belongs to it.
      const isSaid =
        passed >= 2 &&
        isElement(above, 'p') &&
        /:$/.test(lineOf(above)) &&
        !isContentsTitle(lineOf(above));
      const isAlone =
        length > 0 &&
        isAnyHeading(above) &&
        (next === undefined || isAnyHeading(next)) &&
        run.every((node) => !isElement(node) || isContentsList(node, 1));
      if (isSaid || (length < leastLines && !isAlone)) kept.push(...run);
      run = [];
      length = 0;
    };
    for (const child of element.children) {
      if (isElement(child, 'p', 'ul', 'ol') && isContentsList(child)) continue;
      const lines = isElement(child) ? linesOf(child) : undefined;
      const own = lines?.filter((line) => keys.has(keyOf(line)) || isContentsTitle(line)) ?? [];
      const share = passed < 2 && own.length >= leastLines ? half : mostly;
      if (lines !== undefined && own.length > 0 && own.length >= share * lines.length) {
        run.push(child);
        length += own.length;
        continue;
      }
      // Between its lines, a list of contents may have those of headings that look otherwise in the text.
      const isEntry = length >= leastLines && lines?.every((line) => entry.test(line)) === true;
      if (isEntry || (typeof child === 'string' && child.trim() === '')) {
        run.push(child);
        continue;
      }
      end(child);
      if (isAnyHeading(child)) passed++;
      const isWhole = !isElement(child) || isHeading(child) || child.name === 'table';
      kept.push(isWhole || lines !== undefined ? child : walk(child));
    }
    end();
    return { ...element, children: kept };
  };
  return walk(body);
}

/** The document without what stands below a heading for contents, if each of its lines leads into the document. */
function withoutNamedContents(element: Element): Element {
  let isSame = true;
  const kept: TreeNode[] = [];
  const { children } = element;
  for (let at = 0; at < children.length; at++) {
    const child = children[at] ?? '';
    const inner = isElement(child) && !isHeading(child) ? withoutNamedContents(child) : child;
    isSame &&= inner === child;
    kept.push(inner);
    if (!isElement(child) || !isHeading(child) || !isContentsTitle(lineOf(child))) continue;
    let end = at + 1;
    while (end < children.length && isLinesOrBlank(children[end])) end++;
    const blocks = children.slice(at + 1, end);
    const lines = blocks.flatMap((block) => (isElement(block) ? (linesOf(block) ?? []) : []));
    const links = blocks.flatMap((block) =>
      isElement(block)
        ? findElements(
            block,
            ({ name, attributes }) => name === 'a' && /^#/.test(attributes['href'] ?? ''),
          )
        : [],
    );
    if (links.length < leastLines || links.length < mostly * lines.length) continue;
    kept.pop();
    isSame = false;
    at = end - 1;
  }
  // A copy of a whole document would take its memory once more.
  return isSame ? element : { ...element, children: kept };
}

function isLinesOrBlank(node: TreeNode | undefined): boolean {
  return isElement(node) ? /^(?:p|ul|ol|hr|br)$/.test(node.name) : !node?.trim();
}

/** The lines of a block as its reader sees them, or undefined for a block of blocks. */
function linesOf(block: Element): string[] | undefined {
  switch (block.name) {
    case 'ul':
    case 'ol':
      return childrenOf(block, 'li', 'ul', 'ol').flatMap((item): string[] => {
        if (item.name !== 'li') return linesOf(item) ?? [];
        const inner = findElements(item, ({ name }) => name === 'ul' || name === 'ol');
        const own = {
          ...item,
          children: item.children.filter((child) => !isElement(child, 'ul', 'ol')),
        };
        return [lineOf(own), ...inner.flatMap((list) => linesOf(list) ?? [])];
      });
    case 'p':
    case 'pre':
      return rawText(block)
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
    default:
      return undefined;
  }
}

/** The key of a line of contents, without the number of its page. */
function keyOf(line: string): string {
  return titleKey(line.replace(/[\s.]*(?:\.\s?){3,}\s*\d*$/, ''));
}
