import { isTyped } from './typed-lines.js';
import type { OfficeBlock } from './office-blocks.js';
import { lineOf, makeElement, type TreeNode } from './tree.js';

/** A line that ends a sentence and is too long for code. */
const proseLine = /^.{120,}[.!?:]["”)]?\s*$/u;

type Paragraph = Extract<OfficeBlock, { kind: 'paragraph' }>;

/** In characters: lines of prose that were broken by hand are longer. */
const longestLine = 80;
/** One of two lines that go on in no sentence. */
const ownLine = /^[^\p{Ll}\s](?:.{0,58}[^,;\s-])?$/u;

/**
 * A paragraph as the paragraphs that its author made of it by breaks of lines: empty lines part them, lines in
 * monospaced type are code, and short lines stay lines. An item of a list has its further lines within it.
 */
export function linesOf(block: OfficeBlock): OfficeBlock[] {
  if (block.kind === 'element' || block.mono === 'all') return [block];
  if (block.kind === 'item') {
    const [first, ...others] = linesOf({ ...block, kind: 'paragraph' });
    if (first?.kind !== 'paragraph' || first.mono === 'all') return [block];
    const below = others.map((each) =>
      each.kind === 'element'
        ? each.element
        : makeElement(each.mono === 'all' ? 'pre' : 'p', each.nodes),
    );
    return [{ ...block, nodes: [...first.nodes, ...below] }];
  }
  if (block.level !== undefined) return [block];
  const lines = splitLines(block.nodes);
  if (lines.length < 2) return [block];
  const groups: { isMono: boolean; lines: TreeNode[][] }[] = [];
  let isOpen = false;
  for (const line of lines) {
    const isBlank = lineOf(makeElement('p', line)) === '';
    const isMono = !isBlank && isWithin(line, ({ attributes }) => attributes['mono'] !== undefined);
    const last = groups.at(-1);
    if (isBlank) isOpen = false;
    else if (last !== undefined && last.isMono === isMono && (isOpen || isMono)) {
      if (!isOpen) last.lines.push([]);
      last.lines.push(line);
      isOpen = true;
    } else {
      groups.push({ isMono, lines: [line] });
      isOpen = true;
    }
  }
  return groups.flatMap((group) => writeGroup(block, group));
}

function writeGroup(
  block: Paragraph,
  { isMono, lines }: { isMono: boolean; lines: TreeNode[][] },
): OfficeBlock[] {
  const rows = lines.map((line) => lineOf(makeElement('p', line)));
  const isCode = isMono || (!rows.some((row) => proseLine.test(row)) && isTyped(rows));
  const areLines =
    rows.length > 2
      ? rows.every(
          (row, at) => row.length <= longestLine && !(at > 0 && /^\p{Ll}+(?:[ ,-]|$)/u.test(row)),
        )
      : rows.every((row) => /[.!?:]$/.test(row)) || rows.every((row) => ownLine.test(row));
  if (!isCode && areLines) return lines.map((line) => pieceOf(block, line, 'none'));
  const joined = lines.flatMap((line, at) => (at === 0 ? line : [makeElement('br'), ...line]));
  return [pieceOf(block, joined, isCode ? 'all' : block.mono)];
}

function pieceOf(block: Paragraph, nodes: TreeNode[], mono: Paragraph['mono']): Paragraph {
  const isBold = block.isBold || isWithin(nodes, ({ name }) => name === 'b');
  // A line among others is no heading for the size that all of them have.
  const { size, ...look } = block;
  return { ...look, ...(isBold && size !== undefined ? { size } : {}), nodes, mono, isBold };
}

/** True if all words are in elements that pass. */
function isWithin(
  nodes: readonly TreeNode[],
  passes: (element: Exclude<TreeNode, string>) => boolean,
): boolean {
  return nodes.every((node) =>
    typeof node === 'string'
      ? !/[\p{L}\p{N}]/u.test(node)
      : passes(node) ||
        node.name === 'br' ||
        (node.children.length > 0 && isWithin(node.children, passes)),
  );
}

/** The nodes between breaks of lines. Elements that a break parts are repeated. */
function splitLines(nodes: readonly TreeNode[]): TreeNode[][] {
  const lines: TreeNode[][] = [[]];
  for (const node of nodes) {
    if (typeof node === 'string') lines.at(-1)?.push(node);
    else if (node.name === 'br') lines.push([]);
    else if (node.children.length === 0) lines.at(-1)?.push(node);
    else {
      for (const [at, children] of splitLines(node.children).entries()) {
        if (at > 0) lines.push([]);
        if (children.length > 0) lines.at(-1)?.push({ ...node, children });
      }
    }
  }
  return lines;
}
