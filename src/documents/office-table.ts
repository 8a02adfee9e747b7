import { wordsOf, type OfficeBlock } from './office-blocks.js';
import { officeCell } from './office-body.js';
import { isElement, makeElement, type Element, type TreeNode } from './tree.js';

export interface OfficeCell {
  blocks: OfficeBlock[];
  /** In columns and rows. */
  width: number;
  height: number;
  isShaded: boolean;
}

export interface OfficeRow {
  cells: OfficeCell[];
  /** True for a row that is repeated on each page. */
  isHead: boolean;
}

/** In characters: a cell with a heading and more text than this is a part of the page, and no cell. */
const longestCell = 500;
/** In characters: the longest title of a part of a table. */
const longestTitle = 100;

/**
 * A table as blocks. Its rows that are one cell are titles and paragraphs, which part it; each part has the head. A table
 * that only places things on the page is its contents.
 */
export function officeTable(rows: readonly OfficeRow[], hasHeadStyle: boolean): OfficeBlock[] {
  const width = Math.max(0, ...rows.map(widthOf));
  const cells = rows.flatMap((row) => row.cells);
  const isRow = rows.length === 1 && cells.every(({ blocks }) => blocks.length > 1);
  if (width < 2 || isRow || rows.every((row) => row.cells.length < 2) || cells.some(isPlace)) {
    return cells.flatMap(({ blocks }) => blocks);
  }
  const parts: OfficeBlock[] = [];
  const head: OfficeRow[] = [];
  let body: OfficeRow[] = [];
  let isFirst = true;
  const endPart = () => {
    if (body.length === 0) return;
    // The footnotes of a head stand below its first part.
    const shown = isFirst ? head : head.map(withoutNotes);
    parts.push({ kind: 'element', element: writeRows(shown, body) });
    body = [];
    isFirst = false;
  };
  const named = new Set(rows.filter((row) => isName(row)));
  const isTitle = (row: OfficeRow) =>
    isOne(row, width) || (named.size < 0.3 * rows.length && named.has(row));
  const columned = rows.filter((row) => !isTitle(row));
  const isHeadOf = columned.every((row) => row.isHead)
    ? () => false
    : (row: OfficeRow) => isHead(row, columned, hasHeadStyle);
  for (const row of rows) {
    if (isTitle(row)) {
      endPart();
      parts.push(...row.cells.flatMap(({ blocks }) => blocks.map(titled)));
    } else if (body.length === 0 && isHeadOf(row)) head.push(row);
    else body.push(row);
  }
  endPart();
  return parts;
}

function widthOf({ cells }: OfficeRow): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}

function withoutNotes(row: OfficeRow): OfficeRow {
  const strip = (nodes: readonly TreeNode[]): TreeNode[] =>
    nodes
      .filter((node) => !isElement(node, 'note-ref'))
      .map((node) =>
        typeof node === 'string' ? node : { ...node, children: strip(node.children) },
      );
  const cells = row.cells.map((cell) => ({
    ...cell,
    blocks: cell.blocks.map((block) =>
      block.kind === 'element' ? block : { ...block, nodes: strip(block.nodes) },
    ),
  }));
  return { ...row, cells };
}

function isEmpty({ blocks }: OfficeCell): boolean {
  return blocks.every((block) => block.kind === 'paragraph' && wordsOf(block) === '');
}

/** True for a row of three columns or more whose only words are bold, in its first cell. */
function isName({ cells: [first, ...others], isHead }: OfficeRow): boolean {
  const isAlone = first !== undefined && others.length > 1 && others.every(isEmpty);
  return isAlone && !isHead && isBold({ cells: [first], isHead });
}

/** True for a row that is one cell over almost all columns, with nothing beside it. */
function isOne({ cells }: OfficeRow, width: number): boolean {
  const filled = cells.length === 1 ? cells : cells.filter((cell) => !isEmpty(cell));
  const [only] = filled;
  return (
    filled.length === 1 && only !== undefined && only.width >= 0.8 * width && only.height === 1
  );
}

/** True for a cell with more than a cell of text can hold: a chapter. */
function isPlace({ blocks }: OfficeCell): boolean {
  const isHeading = (block: OfficeBlock) => block.kind === 'paragraph' && block.level !== undefined;
  const text = blocks.filter((block) => !isHeading(block));
  return (
    text.length < blocks.length &&
    text.reduce((sum, block) => sum + wordsOf(block).length, 0) > longestCell
  );
}

/** A short line of a title row as a name of what is below it. */
function titled(block: OfficeBlock): OfficeBlock {
  const words = wordsOf(block);
  const isName = block.kind === 'paragraph' && words !== '' && words.length <= longestTitle;
  return isName && !/[.,;!]$/.test(words) ? { ...block, isBold: true } : block;
}

/** True for rows that are stated to be heads, and for a first row that looks like one beside the second. */
function isHead(row: OfficeRow, rows: readonly OfficeRow[], hasHeadStyle: boolean): boolean {
  const [first, second] = rows;
  if (row.isHead) return true;
  if (row !== first || second === undefined || second.isHead) return false;
  const isShaded = ({ cells }: OfficeRow) => cells.every((cell) => cell.isShaded);
  return hasHeadStyle || (isBold(row) && !isBold(second)) || (isShaded(row) && !isShaded(second));
}

/** True for a row whose words are all bold, or that has none. */
function isBold({ cells }: OfficeRow): boolean {
  const filled = cells
    .flatMap(({ blocks }) => blocks)
    .filter((block) => block.kind === 'element' || wordsOf(block) !== '');
  return filled.length > 0 && filled.every((block) => block.kind === 'paragraph' && block.isBold);
}

function writeRows(head: readonly OfficeRow[], body: readonly OfficeRow[]): Element {
  const write = (name: string) => (row: OfficeRow) =>
    makeElement(
      'tr',
      row.cells.map(({ blocks, height, width }) => {
        const spans = { colspan: String(width), rowspan: String(height) };
        return makeElement(name, officeCell(blocks).children, spans);
      }),
    );
  return makeElement('table', [...head.map(write('th')), ...body.map(write('td'))]);
}
