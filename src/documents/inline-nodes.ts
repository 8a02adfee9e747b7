import { isLabelText, labelWords } from '../sections/labels.js';
import { whyHidden } from './hidden-elements.js';
import {
  childrenOf,
  findElement,
  isElement,
  lineOf,
  makeElement,
  rawText,
  type Element,
  type TreeNode,
} from './tree.js';

/** Elements within a line of text, unless they hold blocks. */
export const inlineElements = new Set([
  ...['a', 'abbr', 'acronym', 'b', 'bdi', 'bdo', 'big', 'br', 'cite', 'code', 'data', 'del', 'dfn'],
  ...['em', 'font', 'i', 'img', 'input', 'ins', 'kbd', 'label', 'mark', 'math', 'nobr', 'note-ref'],
  ...[
    'q',
    's',
    'samp',
    'small',
    'span',
    'strike',
    'strong',
    'sub',
    'sup',
    'time',
    'tt',
    'u',
    'var',
  ],
  ...['wbr', 'ruby', 'rb', 'picture', 'source', 'output'],
]);

const blockElements =
  /^(?:address|article|aside|blockquote|center|dd|details|dir|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|menu|nav|ol|p|pre|section|summary|table|ul)$/;

export function isBlock({ name }: Element): boolean {
  return blockElements.test(name);
}

/** The content of a cell or a note as inline nodes: its blocks are parted by spaces, and items by semicolons. */
export function spread(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.flatMap((node): TreeNode[] => {
    if (typeof node === 'string') return [node];
    if (whyHidden(node) !== undefined) return [node];
    if (node.name === 'ul' || node.name === 'ol') {
      const items = childrenOf(node, 'li').map((item) => {
        const [only, ...more] = item.children;
        return isElement(only, 'p') && more.length === 0 ? only : item;
      });
      return [
        ' ',
        ...items.flatMap((item, at) => [at === 0 ? '' : '; ', ...spread(item.children)]),
        ' ',
      ];
    }
    if (node.name === 'pre') return [' ', makeElement('code', [rawText(node)]), ' '];
    if (isBlock(node))
      return [' ', ...spread(node.children), node.attributes['parted'] === undefined ? ' ' : '; '];
    if (findElement(node, isBlock) !== undefined) return spread(node.children);
    return [node];
  });
}

/** Elements that change only how their words look: a break within them is one of the paragraph. */
const looks = /^(?:b|big|em|font|i|small|span|strong|u)$/;

/** Nodes with the breaks of an inline element beside it: `<i>a<br></i>` as `<i>a</i><br>`. */
export function withOuterBreaks(node: TreeNode): TreeNode[] {
  if (!isElement(node) || !looks.test(node.name) || whyHidden(node) !== undefined) return [node];
  const inner = node.children.flatMap(withOuterBreaks);
  if (!inner.some((child) => isElement(child, 'br'))) return [node];
  const outer: TreeNode[] = [];
  let isOpen = false;
  for (const child of inner) {
    const last = outer.at(-1);
    if (isElement(child, 'br')) outer.push(child);
    else if (isOpen && isElement(last)) last.children.push(child);
    else outer.push({ ...node, children: [child] });
    isOpen = !isElement(child, 'br');
  }
  return outer;
}

/** The bold words with which a paragraph begins, if they are its name. */
export function labelOf(nodes: readonly TreeNode[]): string | undefined {
  const [first, ...rest] = nodes.filter((node) => lineOf(node) !== '');
  if (!isElement(first, 'b', 'strong')) return undefined;
  const words = lineOf(first);
  const next = rest[0] === undefined ? '' : rawText(rest[0]).trimStart();
  const isApart = /[.:–—]$/u.test(words) || next === '' || /^(?:[:–—]|- )/u.test(next);
  const label = labelWords(words);
  return isApart && isLabelText(label) ? label : undefined;
}

/** The last of some nodes with words, or a break. */
export function lastOf(nodes: readonly TreeNode[]): TreeNode | undefined {
  // An element with a no-break space is an empty line of a listing.
  return nodes.findLast((node) =>
    typeof node === 'string'
      ? node.trim() !== ''
      : !/^(?:a|b|i|span)$/.test(node.name) || /[^ \n]/.test(rawText(node)),
  );
}

/** In characters. */
const longestTerm = 100;

/** True for a name alone, in bold type or in that of code: what stands below it is about it. */
export function isTerm(nodes: readonly TreeNode[]): boolean {
  const [only, ...more] = nodes.slice(0, longestTerm).filter((node) => lineOf(node) !== '');
  if (
    !isElement(only) ||
    whyHidden(only) !== undefined ||
    more.length > 0 ||
    lineOf(only).length > longestTerm
  )
    return false;
  return (
    /^(?:b|strong|code|tt|dfn)$/.test(only.name) ||
    (/^(?:a|font|span|big)$/.test(only.name) && isTerm(only.children))
  );
}
