import {
  childrenOf,
  isElement,
  lineOf,
  makeElement,
  rawText,
  type Element,
  type TreeNode,
} from './tree.js';

/** A paragraph or table of an office file. */
export type OfficeBlock =
  | { kind: 'element'; element: Element }
  /** `size` in points, undefined for the usual one. */
  | {
      kind: 'paragraph';
      nodes: TreeNode[];
      level?: number | undefined;
      isBold: boolean;
      size?: number | undefined;
      isMono: boolean;
    }
  | { kind: 'item'; nodes: TreeNode[]; depth: number; marker: string };

/** In characters: a longer paragraph in bold is no heading. */
const longestHeading = 100;
/** A longer paragraph is no heading, whatever style it has. */
const longestStyled = 250;

/** True for cells that are all bold, as those of a heading row are; empty ones do not count. */
export function isBoldRow(cells: readonly (readonly OfficeBlock[])[]): boolean {
  const filled = cells
    .flat()
    .filter((block) => block.kind !== 'paragraph' || lineOf(makeElement('p', block.nodes)) !== '');
  return filled.length > 0 && filled.every((block) => block.kind === 'paragraph' && block.isBold);
}

/** Makes a heading of a table's first row when it is bold and the second one is not. */
export function headTable(rows: readonly Element[], bold: readonly boolean[]): void {
  const [first] = rows;
  if (first === undefined || bold[0] !== true || bold[1] !== false) return;
  for (const cell of childrenOf(first)) cell.name = 'th';
}

/** Paragraphs, items and tables as a tree of HTML: items become nested lists, and lines of monospaced type one listing. */
export function officeBody(blocks: readonly OfficeBlock[]): Element {
  const headed = blocks.some((block) => block.kind === 'paragraph' && block.level !== undefined)
    ? blocks
    : findHeadings(blocks);
  const children: Element[] = [];
  let lists: OpenList[] = [];
  let listing: string[] = [];
  const endListing = () => {
    const [only = ''] = listing;
    // The name of an option or a file, alone on its line above its description.
    if (listing.length === 1 && only.length <= 40 && /^\S+$/.test(only.trim())) {
      children.push(makeElement('dt', [makeElement('code', [only.trim()])]));
    } else if (listing.length > 0) children.push(makeElement('pre', [listing.join('\n')]));
    listing = [];
  };
  for (const block of headed) {
    if (block.kind === 'item') {
      endListing();
      lists = addItem(children, lists, block);
      continue;
    }
    lists = [];
    if (block.kind === 'element') {
      endListing();
      children.push(block.element);
      continue;
    }
    const text = lineOf(makeElement('p', block.nodes));
    if (block.isMono && block.level === undefined) {
      listing.push(rawText(makeElement('p', block.nodes)));
      continue;
    }
    if (text === '' && listing.length > 0) {
      listing.push('');
      continue;
    }
    endListing();
    const isHeading = block.level !== undefined && text !== '' && text.length <= longestStyled;
    const name = isHeading ? `h${block.level}` : 'p';
    children.push(makeElement(name, block.nodes));
  }
  endListing();
  return makeElement('#root', children);
}

interface OpenList {
  list: Element;
  depth: number;
}

/** Adds an item to the open list of its depth. Depths that no item has make no lists. */
function addItem(
  children: Element[],
  lists: readonly OpenList[],
  { nodes, depth, marker }: Extract<OfficeBlock, { kind: 'item' }>,
): OpenList[] {
  const open = lists.filter((each) => each.depth <= depth);
  if (open.at(-1)?.depth !== depth) {
    const list = makeElement('ul');
    const parent = open.at(-1)?.list.children.at(-1);
    if (isElement(parent)) parent.children.push(list);
    else children.push(list);
    open.push({ list, depth });
  }
  const list = open.at(-1)?.list;
  if (marker !== '-' && list !== undefined) list.name = 'ol';
  list?.children.push(makeElement('li', nodes, { marker }));
  return open;
}

/**
 * In a file without styles of headings, short paragraphs in bold or larger type are headings. Their sizes are their
 * levels.
 */
function findHeadings(blocks: readonly OfficeBlock[]): OfficeBlock[] {
  const sizes = new Map<number, number>();
  for (const block of blocks) {
    if (block.kind !== 'paragraph') continue;
    const length = lineOf(makeElement('p', block.nodes)).length;
    sizes.set(block.size ?? 0, (sizes.get(block.size ?? 0) ?? 0) + length);
  }
  const usual = [...sizes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
  const isHeading = (block: OfficeBlock, below: OfficeBlock | undefined): boolean => {
    if (block.kind !== 'paragraph' || below === undefined || block.isMono) return false;
    const text = lineOf(makeElement('p', block.nodes));
    const isApart = block.isBold || (block.size ?? usual) >= usual + 2;
    return (
      isApart && /\p{L}{2}/u.test(text) && text.length <= longestHeading && !/[.,;!]$/.test(text)
    );
  };
  const at = (index: number) => isHeading(blocks[index] as OfficeBlock, blocks[index + 1]);
  const headings = blocks.flatMap((_, index) => (at(index) ? [index] : []));
  // A page of bold lines is a form or a title page.
  if (headings.length > 0.5 * blocks.length) return [...blocks];
  const levels = [
    ...new Set(headings.map((index) => (blocks[index] as { size?: number }).size ?? usual)),
  ].sort((a, b) => b - a);
  const found = new Set(headings);
  return blocks.map((block, index) => {
    if (block.kind !== 'paragraph' || !found.has(index)) return block;
    return { ...block, level: Math.min(6, levels.indexOf(block.size ?? usual) + 1) };
  });
}
