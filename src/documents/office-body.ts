import { withHeadings } from './office-headings.js';
import type { Look, OfficeBlock } from './office-blocks.js';
import { isElement, lineOf, makeElement, rawText, type Element } from './tree.js';

/** A whole text as a tree of HTML, with headings. */
export function officeBody(blocks: readonly OfficeBlock[]): Element {
  return writeBlocks(withHeadings(blocks));
}

/** A cell, a note or a hidden part as a tree of HTML: without headings and listings, which would break a table up. */
export function officeCell(blocks: readonly OfficeBlock[]): Element {
  return writeBlocks(
    blocks.map((block): OfficeBlock => {
      if (block.kind === 'element') return block;
      const { marker, nodes } = { marker: '-', ...block };
      const isCode = block.mono === 'all' && lineOf(makeElement('p', nodes)) !== '';
      const inner = isCode ? [makeElement('code', nodes)] : nodes;
      if (block.kind === 'item' && marker === '-') return { ...block, nodes: inner };
      const marked = marker === '-' ? inner : [`${marker} `, ...inner];
      return { kind: 'paragraph', nodes: marked, isBold: false, mono: 'none' };
    }),
  );
}

/** Items become nested lists, and lines of monospaced type one listing. */
function writeBlocks(blocks: readonly OfficeBlock[]): Element {
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
  for (const [at, block] of blocks.entries()) {
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
    if (block.level === undefined && isCode(block, blocks[at + 1], listing.length > 0)) {
      listing.push(rawText(makeElement('p', block.nodes)));
      continue;
    }
    if (text === '' && listing.length > 0) {
      listing.push('');
      continue;
    }
    endListing();
    if (block.level !== undefined) children.push(makeElement(`h${block.level}`, block.nodes));
    // Bold words alone name what is below them.
    else
      children.push(makeElement('p', block.isBold ? [makeElement('b', block.nodes)] : block.nodes));
  }
  endListing();
  return makeElement('#root', children);
}

/** True for a line of code. Beside one, it may have a remark in other type. */
function isCode({ mono }: Look, below: OfficeBlock | undefined, isBelow: boolean): boolean {
  const isAbove = below?.kind === 'paragraph' && below.mono === 'all';
  return mono === 'all' || (mono === 'most' && (isBelow || isAbove));
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
