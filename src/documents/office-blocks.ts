import { symbolFontOf, textOfSymbol } from '../pdf/reader/fonts/symbol-fonts.js';
import { isCaptionText } from '../sections/labels.js';
import { isElement, lineOf, makeElement, rawText, type Element, type TreeNode } from './tree.js';

/** A piece of a paragraph with one look. */
export interface Run {
  text: string;
  isBold: boolean;
  isMono: boolean;
  isUnderlined: boolean;
  /** In points; undefined for the usual one. */
  size: number | undefined;
}

/** How a paragraph looks: bold or monospaced as a whole, or not. */
export interface Look {
  isBold: boolean;
  isUnderlined?: boolean;
  mono: 'all' | 'none';
  /** In points, of its largest words; undefined for the usual one. */
  size?: number;
}

/** A paragraph, item or table of an office file. */
export type OfficeBlock =
  | { kind: 'element'; element: Element }
  | ({
      kind: 'paragraph';
      nodes: TreeNode[];
      level?: number | undefined;
      /** In points, from the left edge. */
      indent?: number;
      /** True for a line of a cell that the next one does not go on with. */
      isParted?: boolean;
      /** What all paragraphs of one kind share: a style of their authors' choice, or the colour of their box. */
      ground?: string | undefined;
      /** True in a box beside or within the text. */
      isBoxed?: boolean;
    } & Look)
  | ({ kind: 'item'; nodes: TreeNode[]; depth: number; marker: string } & Look);

/** The words of a block; nothing for tables. */
export function wordsOf(block: OfficeBlock | undefined): string {
  return block === undefined || block.kind === 'element'
    ? ''
    : lineOf(makeElement('p', block.nodes));
}

/** False for an empty line. */
export function isFilled(block: OfficeBlock): boolean {
  return block.kind === 'element' || wordsOf(block) !== '';
}

export const monoFont =
  /courier|consolas|cumberland|fixedsys|inconsolata|letter gothic|lucida console|menlo|mono|typewriter|\bcode\b/i;
/** A style of code, in the languages that office programs name it in. */
export const codeStyle =
  /^(?:html preformatted|preformatted|source|code|listing|verbatim|macro text|quelltext)/i;
/** The styles of all text. */
const textStyle = /^(?:$|standard|normal|default|text|body|first line|plain text)/i;

/** A paragraph's style, if authors choose it for paragraphs of one kind. */
export function ownStyle(name: string): string | undefined {
  return textStyle.test(name) ? undefined : name;
}

/** The look of a paragraph's words; that of its signs if it has no words. */
export function lookOf(runs: readonly Run[]): Look {
  const words = runs.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  const told = words.length > 0 ? words : runs.filter(({ text }) => text.trim() !== '');
  if (told.length === 0) return { isBold: false, mono: 'none' };
  const size = Math.max(0, ...told.map((run) => run.size ?? 0));
  return {
    isBold: told.every(({ isBold }) => isBold),
    isUnderlined: told.every(({ isUnderlined }) => isUnderlined),
    mono: told.every(({ isMono }) => isMono) ? 'all' : 'none',
    ...(size > 0 ? { size } : {}),
  };
}

/** Adds nodes, in bold or monospaced type if they are; two neighbours in bold are one element. */
export function addNodes(
  nodes: TreeNode[],
  added: readonly TreeNode[],
  { isBold, isMono }: Pick<Run, 'isBold' | 'isMono'>,
): void {
  const last = nodes.at(-1);
  const [first] = added;
  if (added.length === 1 && isElement(first, 'a')) {
    addLink(nodes, first.children, first.attributes['href'] ?? '');
    return;
  }
  const own = isMono ? [makeElement('span', [...added], { mono: '' })] : added;
  if (!isBold || added.length === 0) nodes.push(...own);
  else if (isElement(last, 'b')) last.children.push(...own);
  else nodes.push(makeElement('b', [...own]));
}

/** Adds a link; two neighbours with one address are one link. */
export function addLink(nodes: TreeNode[], inner: readonly TreeNode[], href: string): void {
  const last = nodes.at(-1);
  if (isElement(last, 'a') && last.attributes['href'] === href) last.children.push(...inner);
  else nodes.push(makeElement('a', [...inner], { href }));
}

/** The nodes without links that hold only a letter or two of a word: their authors missed them. */
export function withoutShreds(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.flatMap((node, at) => {
    if (!isElement(node, 'a') || rawText(node).trim().length > 3) return [node];
    const [before, behind] = [nodes[at - 1], nodes[at + 1]];
    const isPart = /\p{L}$/u.test(rawText(before ?? '')) || /^\p{L}/u.test(rawText(behind ?? ''));
    return isPart && /\p{L}/u.test(rawText(node)) ? node.children : [node];
  });
}

/** The signs of a text in a font of signs, such as Symbol. Private codes of other fonts are those of bullets. */
export function textInFont(text: string, font: string | undefined): string {
  const symbols = font === undefined ? undefined : symbolFontOf(font);
  if (symbols === undefined && !/[\uf020-\uf0ff]/.test(text)) return text;
  return text.replaceAll(/[\u0020-\u00ff\uf020-\uf0ff]/g, (sign) => {
    const code = sign.charCodeAt(0);
    if (code < 0x100 && symbols === undefined) return sign;
    return textOfSymbol(symbols, code & 0xff) || (code < 0x100 ? sign : '');
  });
}

/** True for a text box with a sentence or a caption. Boxes of a drawing without one are its labels. */
export function isTold(blocks: readonly OfficeBlock[]): boolean {
  return blocks.some(
    (block) =>
      block.kind === 'element' ||
      isCaptionText(wordsOf(block)) ||
      /\p{Ll}{2}.{30,}|\p{Ll} .{10,}[.!?]$/u.test(wordsOf(block)),
  );
}

/** The blocks of a text box. */
export function boxed(blocks: readonly OfficeBlock[]): OfficeBlock[] {
  return blocks.map((block) => (block.kind === 'paragraph' ? { ...block, isBoxed: true } : block));
}

/** True for a heading by its style. */
export function isStyled(
  block: OfficeBlock | undefined,
): block is Extract<OfficeBlock, { kind: 'paragraph' }> & { level: number } {
  return block?.kind === 'paragraph' && block.level !== undefined;
}

/** In characters, with the text of tables. */
export function lengthOf(blocks: readonly OfficeBlock[]): number {
  return blocks.reduce((sum, block) => {
    const text = block.kind === 'element' ? rawText(block.element) : wordsOf(block);
    return sum + text.length;
  }, 0);
}
