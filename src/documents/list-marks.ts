import { writeRoman } from './docx-numbering.js';
import { isBlock } from './inline-nodes.js';
import { isElement, lineOf, makeElement, type Element, type TreeNode } from './tree.js';

/** The mark of an item that was typed as a part of its paragraph. */
export const typedMark = /^([•●▪■◦‣⁃∙·*]|\(?\d{1,2}[.)])\s+(?=\S)/u;

/** The lines of a paragraph that is a listing: no-break spaces indent some of them, or all are in the type of code. */
export function listingRows(nodes: readonly TreeNode[]): string[] | undefined {
  if (!nodes.some((node) => isElement(node))) return undefined;
  const rows = brokenText(nodes)
    .split('\n')
    .map((row) => row.replace(/^ +(?=\S|\u00a0)| +$/g, ''));
  const isCode = nodes.every(
    (node) => lineOf(node) === '' || isElement(node, 'code', 'tt', 'kbd', 'samp'),
  );
  if (isCode && rows.filter((row) => row.trim() !== '').length > 1) return rows;
  const indented = rows.filter((row) => /^\u00a0{2}/.test(row));
  return rows.length >= 3 && indented.length >= 0.25 * rows.length ? rows : undefined;
}

/** Text as a page shows it: on one line, except for breaks. */
function brokenText(nodes: readonly TreeNode[]): string {
  return nodes
    .map((node) => {
      if (!isElement(node)) return node.replaceAll(/[ \t\n]+/g, ' ');
      return node.name === 'br' ? '\n' : brokenText(node.children);
    })
    .join('');
}

/** A listing as a page shows it: some pages have an element for each line. */
export function listingText(nodes: readonly TreeNode[]): string {
  let text = '';
  for (const node of nodes) {
    if (!isElement(node)) text += node;
    else if (node.name === 'br') text += '\n';
    else if (isBlock(node)) {
      const inner = listingText(node.children);
      text += `${text === '' || text.endsWith('\n') ? '' : '\n'}${inner}${inner.endsWith('\n') ? '' : '\n'}`;
    } else text += listingText(node.children);
  }
  return text;
}

/** The lines of a paragraph, as far as they stand in no element. */
export function partLines(nodes: readonly TreeNode[]): TreeNode[][] {
  const lines: TreeNode[][] = [[]];
  for (const node of nodes) {
    if (isElement(node, 'br')) lines.push([]);
    else lines.at(-1)?.push(node);
  }
  return lines;
}

/** So many lines that breaks part are no sentences, if all are short: names, an address, settings. */
const leastLines = 3;
/** In characters. */
const longestLine = 40;

/** The lines of a paragraph if it has many short ones, else all of it as one. */
export function shortLines(nodes: readonly TreeNode[]): (readonly TreeNode[])[] {
  const lines = partLines(nodes).filter((line) => line.some((node) => lineOf(node) !== ''));
  const areShort = lines.every((line) => lineOf(makeElement('p', line)).length <= longestLine);
  return lines.length >= leastLines && areShort ? lines : [nodes];
}

/** The mark of an item as its list counts: 3. or c. or iii. */
export function markerOf({ attributes }: Element, number: number): string {
  const type = attributes['type'] ?? '1';
  const isLetter = /^[aA]$/.test(type) && number >= 1 && number <= 26;
  if (isLetter) return `${String.fromCharCode(type.charCodeAt(0) + number - 1)}.`;
  if (/^[iI]$/.test(type) && number >= 1 && number < 100) {
    const roman = writeRoman(number);
    return `${type === 'I' ? roman.toUpperCase() : roman}.`;
  }
  return `${number}.`;
}
