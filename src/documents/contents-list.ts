import { titleKey, isContentsTitle } from '../sections/titles.js';
import { isWayUp } from './link-rows.js';
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

/** The share of lines that are headings of the document; above all text, a list may name other documents too. */
const mostly = 0.8;
const half = 0.5;
const leastLines = 3;
/** A line of contents: a number of one level or several, and words that end no sentence. */
const entry = /^(?:\d{1,2}|[A-Z])\.(?:\d{1,2}\.?)*\s+\S.{0,150}[^.:;,]$/;

/** A list of links to places on the same page. */
function isContentsList(list: Element): boolean {
  const links = findElements(list, ({ attributes }) => attributes['href'] !== undefined);
  const within = links.filter(({ attributes }) => attributes['href']?.startsWith('#'));
  if (links.length < leastLines || within.length < 0.9 * links.length) return false;
  const inLinks = within.reduce((sum, link) => sum + lettersOf(link), 0);
  if (inLinks >= mostly * lettersOf(list)) return true;
  // Of a line, only its number may be the link.
  const numbers = within.filter((link) => /^\d+(?:\.\d+)*[.)]?$/.test(lineOf(link)));
  const lines = linesOf(list)?.length ?? findElements(list, ({ name }) => name === 'tr').length;
  return numbers.length > 0.9 * links.length && lines === links.length;
}

/** So many paragraphs with the same link alone stand below sections, not in them. */
const leastWays = 5;

/** Where several paragraphs lead that are nothing but a link into the document: "Table of Contents" below each section. */
function repeatedWays(body: Element): Set<string> {
  const counts = new Map<string, number>();
  for (const line of findElements(body, ({ name }) => name === 'p')) {
    const way = wayOf(line);
    if (way !== undefined) counts.set(way, (counts.get(way) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= leastWays).map(([way]) => way));
}

/** Where the one link leads that is all of a paragraph. */
function wayOf(line: Element): string | undefined {
  const [link, ...more] = line.children.filter((node) => isElement(node) || !isBlank(node));
  const href = isElement(link, 'a') ? (link.attributes['href'] ?? '') : '';
  return more.length === 0 && href.startsWith('#') ? href : undefined;
}

function lettersOf(element: Element): number {
  return rawText(element).match(/\p{L}/gu)?.length ?? 0;
}

/**
 * The document without lists of its own headings, however they are written, with the words above that only announce
 * them, and without links to its top.
 */
export function withoutContents(body: Element): Element {
  const keys = new Set(findElements(body, isHeading).map((each) => titleKey(lineOf(each))));
  const areMany = keys.size >= leastLines;
  const ways = repeatedWays(body);
  let passed = 0;
  const walk = (element: Element): Element => {
    const kept: TreeNode[] = [];
    // Blocks side by side with nothing but headings of the document, and the number of their lines.
    let run: TreeNode[] = [];
    let length = 0;
    /** The words above contents that announce them, and a heading that has nothing else below it. */
    const dropTitle = (next: TreeNode | undefined) => {
      const at = kept.findLastIndex((node) => !isBlank(node));
      const above = kept[at];
      const isEmpty =
        passed >= 2 && isAnyHeading(above) && (next === undefined || isAnyHeading(next));
      if (isElement(above) && (isEmpty || isContentsTitle(lineOf(above)))) kept.splice(at, 1);
    };
    const end = (next?: TreeNode) => {
      const above = kept.findLast((node) => !isBlank(node));
      // What a sentence announces within the text belongs to it.
      const isSaid =
        passed >= 2 &&
        isElement(above, 'p') &&
        /:$/.test(lineOf(above)) &&
        !isContentsTitle(lineOf(above));
      if (isSaid || length < leastLines) kept.push(...run);
      else dropTitle(next);
      run = [];
      length = 0;
    };
    /** Where the list below a heading ends that belongs to the contents as that does. */
    let listEnd = 0;
    for (const [at, child] of element.children.entries()) {
      if (at < listEnd) continue;
      if (isElement(child, 'p', 'ul', 'ol', 'dl', 'table') && isContentsList(child)) {
        dropTitle(element.children.slice(at + 1).find((node) => !isBlank(node)));
        continue;
      }
      if (isElement(child, 'p', 'div', 'center', 'table') && isWayUp(child)) continue;
      if (isElement(child, 'p') && ways.has(wayOf(child) ?? '')) continue;
      const lines = isElement(child) ? linesOf(child) : undefined;
      const own =
        areMany && lines?.filter((line) => keys.has(keyOf(line)) || isContentsTitle(line));
      const share = passed < 2 && own && own.length >= leastLines ? half : mostly;
      if (lines !== undefined && own && own.length > 0 && own.length >= share * lines.length) {
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
      if (isElement(child) && isHeading(child)) {
        const list = linesBelow(element.children, at);
        if (isContentsTitle(lineOf(child)) && leadsWithin(list)) {
          listEnd = at + 1 + list.length;
          continue;
        }
        passed++;
      }
      const isWhole = !isElement(child) || isHeading(child);
      kept.push(isWhole || lines !== undefined ? child : walk(child));
    }
    end();
    // A copy of a whole document would take its memory once more.
    const isSame =
      kept.length === element.children.length &&
      kept.every((node, at) => node === element.children[at]);
    return isSame ? element : { ...element, children: kept };
  };
  return walk(body);
}

const isAnyHeading = (node: TreeNode | undefined) => isElement(node) && isHeading(node);

function isBlank(node: TreeNode): boolean {
  return isElement(node) ? isElement(node, 'br', 'hr', 'p') && lineOf(node) === '' : !node.trim();
}

/** The lines and lists below a heading. */
function linesBelow(nodes: readonly TreeNode[], at: number): TreeNode[] {
  const isLines = (node: TreeNode) =>
    isElement(node) ? /^(?:p|ul|ol|hr|br)$/.test(node.name) : isBlank(node);
  let end = at + 1;
  for (let node = nodes[end]; node !== undefined && isLines(node); node = nodes[end]) end++;
  return nodes.slice(at + 1, end);
}

/** True for lines with several links into the document, of which most lines have one. */
function leadsWithin(nodes: readonly TreeNode[]): boolean {
  const blocks = nodes.filter((node) => isElement(node));
  const lines = blocks.flatMap((block) => linesOf(block) ?? []);
  const isLink = ({ attributes }: Element) => /^#/.test(attributes['href'] ?? '');
  const links = blocks.flatMap((block) => findElements(block, isLink));
  return links.length >= leastLines && links.length >= mostly * lines.length;
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
