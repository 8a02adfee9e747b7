import type { HiddenReason, HiddenText } from '../pdf/layout/page.js';
import { labelWords } from '../sections/labels.js';
import type { Block } from '../sections/block.js';
import { escapeStart } from '../platform/text/escape-markdown.js';
import { Footnotes } from './footnotes.js';
import { isForScreenReaders, whyHidden, withoutText } from './hidden-elements.js';
import { headingWords } from './heading-words.js';
import {
  findElement,
  isElement,
  lineOf,
  makeElement,
  type Element,
  type TreeNode,
} from './tree.js';
import {
  inlineElements,
  isBlock,
  isTerm,
  labelOf,
  lastOf,
  spread,
  withOuterBreaks,
} from './inline-nodes.js';
import {
  listingRows,
  listingText,
  markerOf,
  partLines,
  shortLines,
  typedMark,
} from './list-marks.js';
import {
  anchorOf,
  isPermalink,
  writeInline,
  writeListing,
  writePlain,
  type InlineHooks,
} from './write-inline.js';
import { isTyped } from './typed-lines.js';
import { isLayout, readTable, writeCells } from './write-table.js';

export interface TreeOptions {
  /** Where links of the document lead, if anywhere that a reader can open. */
  openAddress: (href: string) => string | undefined;
  /** The contents of footnotes by the names that references have. */
  notes: ReadonlyMap<string, Element>;
  /** The anchor of a heading that has no id of its own. */
  nameHeading: (title: string) => string;
  /** True to name paragraphs above the first heading by their number. */
  countsParagraphs: boolean;
}

export interface WrittenBlocks {
  /** Their pages are indexes of `anchors`. */
  blocks: Block[];
  anchors: (string | null)[];
  hidden: HiddenText[];
}

/** How far a level of a list is indented, in points, as PDFs have it: what is deeper is a worse place to cut. */
const indent = 20;
/** In characters: the most that is kept of a hidden text. */
const longestHidden = 500;

/** Turns the elements of a document into blocks of Markdown. */
export function writeBlocks(root: Element, options: TreeOptions): WrittenBlocks {
  const writer = new BlockWriter(options);
  writer.walk(root.children, 0);
  writer.end();
  return writer;
}

const isPicture = (node: TreeNode): boolean =>
  isElement(node)
    ? node.name === 'img' ||
      (/^(?:a|b|em|font|i|p|picture|span|strong)$/.test(node.name) &&
        node.children.every(isPicture))
    : node.trim() === '';

class BlockWriter implements WrittenBlocks {
  blocks: Block[] = [];
  readonly anchors: (string | null)[] = [null];
  readonly hidden: HiddenText[] = [];
  readonly #hooks: InlineHooks;
  /** The inline nodes of the open paragraph. */
  #line: TreeNode[] = [];
  readonly #notes = new Footnotes();
  /** The last id of an element around what comes next. */
  #lastId: string | undefined;
  #hasHeading = false;
  #paragraphs = 0;

  constructor(readonly options: TreeOptions) {
    this.#hooks = {
      onHidden: (element) => this.#report(element, whyHidden(element) ?? 'invisible'),
      openAddress: options.openAddress,
      noteNumber: (reference) => this.#noteNumber(reference),
    };
  }

  walk(nodes: readonly TreeNode[], depth: number): void {
    for (const node of nodes) this.#add(node, depth);
  }

  end(): void {
    this.#flush(0);
    for (const note of this.#notes.take()) this.blocks.push(note);
  }

  #add(node: TreeNode, depth: number): void {
    if (typeof node === 'string') {
      this.#line.push(node);
      return;
    }
    const { name, attributes } = node;
    if ((withoutText.has(name) && name !== 'input') || isForScreenReaders(node)) return;
    if (isPermalink(node)) return;
    const reason = whyHidden(node);
    if (reason !== undefined) {
      this.#report(node, reason);
      return;
    }
    const id = attributes['id'] ?? (name === 'a' ? attributes['name'] : undefined);
    if (inlineElements.has(name) && findElement(node, isBlock) === undefined) {
      for (const part of withOuterBreaks(node)) {
        const isBreak = isElement(part, 'br');
        if (isBreak && (isElement(lastOf(this.#line), 'br') || isTerm(this.#line)))
          this.#flush(depth);
        else this.#line.push(part);
      }
      if (id !== undefined && lineOf(node) === '') this.#lastId = id;
      return;
    }
    if (/^h[1-6]$/.test(name)) {
      this.#addHeading(node);
      return;
    }
    if (id !== undefined) this.#flush(depth);
    if (id !== undefined) this.#lastId = id;
    switch (name) {
      case 'pre':
      case 'listing':
      case 'xmp':
        this.#flush(depth);
        this.#addCode(node, depth);
        return;
      case 'ul':
      case 'ol':
      case 'menu':
      case 'dir':
        this.#flush(depth);
        this.#addList(node, depth);
        return;
      case 'li':
        this.#flush(depth);
        this.#addItem(node, '-', depth);
        return;
      case 'table':
        this.#flush(depth);
        this.#addTable(node, depth);
        return;
      case 'dt':
      case 'summary':
        this.#flush(depth);
        for (const child of node.children) this.#line.push(child);
        this.#flush(depth, true);
        return;
      case 'dd':
        this.#flush(depth);
        this.walk(node.children, depth + 1);
        this.#flush(depth + 1);
        return;
      case 'hr':
        this.#flush(depth);
        return;
      default:
        this.#flush(depth);
        this.walk(node.children, depth);
        this.#flush(depth);
    }
  }

  #addHeading(node: Element): void {
    this.#flush(0);
    const title = writePlain(headingWords(node), this.#hooks).replace(/^[-–—•]\s+(?=\p{L})/u, '');
    if (title === '') return;
    for (const note of this.#notes.take()) this.blocks.push(note);
    const anchor = anchorOf(node) ?? this.#lastId ?? this.options.nameHeading(title);
    this.#lastId = undefined;
    this.#hasHeading = true;
    this.anchors.push(anchor);
    const level = Number(node.name.slice(1));
    this.#push({ kind: 'heading', text: title, printed: title, level });
  }

  /** The place of the next block. */
  #place(): { pageFrom: number; pageTo: number } {
    const at = this.anchors.length - 1;
    return { pageFrom: at, pageTo: at };
  }

  #push(block: Omit<Block, 'pageFrom' | 'pageTo'>): void {
    // An entry that begins here opens here. Elsewhere nothing opens, and a place is named by its heading.
    if (this.#lastId !== undefined && !this.options.countsParagraphs)
      this.anchors.push(this.#lastId);
    this.#lastId = undefined;
    this.blocks.push({ ...block, ...this.#place() });
  }

  /** Closes the open paragraph. `isTerm`: it names what follows. */
  #flush(depth: number, isTerm = false): void {
    const nodes = this.#line;
    if (nodes.length === 0) return;
    this.#line = [];
    if (isTerm) {
      // A function may have several forms below its name.
      const [name = [], ...forms] = partLines(nodes.flatMap(withOuterBreaks));
      this.#addParagraph(name, depth, true);
      for (const form of forms) this.#addParagraph(form, depth, false);
      return;
    }
    const lines = shortLines(nodes).map((line) => lineOf(makeElement('p', [...line])));
    const rows = listingRows(nodes) ?? (lines.length > 1 && isTyped(lines) ? lines : undefined);
    if (rows !== undefined) {
      this.#addCode(makeElement('pre', [rows.join('\n')]), depth);
      return;
    }
    this.#addParagraph(nodes, depth, false);
  }

  #addParagraph(nodes: readonly TreeNode[], depth: number, isTerm: boolean): void {
    const lines = shortLines(nodes).map((line) => writeInline(line, this.#hooks));
    const [written = '', ...others] = lines.filter((line) => line !== '');
    const more = others.map((line) => `  \n${escapeStart(line)}`).join('');
    // What a picture shows says nothing without it, unless it stands in a sentence.
    if (written === '' || (!isTerm && nodes.every(isPicture))) return;
    if (!this.#hasHeading && this.options.countsParagraphs) {
      this.anchors.push(`paragraph-${++this.#paragraphs}`);
    }
    const typed = typedMark.exec(written);
    if (typed !== null && !isTerm) {
      const mark = typed[1] ?? '-';
      const rest = escapeStart(written.slice(typed[0].length)) + more;
      const text = `${/\d/.test(mark) ? mark : '-'} ${rest}`;
      this.#push({ kind: 'item', text, left: depth * indent });
      return;
    }
    const label = isTerm ? labelWords(writePlain(nodes, this.#hooks)) : labelOf(nodes);
    const named = label !== undefined && label !== '' ? { label } : {};
    const text = escapeStart(written) + more;
    this.#push({ kind: 'paragraph', text, left: depth * indent, ...named });
  }

  #addCode(node: Element, depth: number): void {
    const code = writeListing(listingText(node.children));
    if (code === '') return;
    this.#push({ kind: 'code', text: code, left: depth * indent });
  }

  #addList(list: Element, depth: number): void {
    let number = Number.parseInt(list.attributes['start'] ?? '1', 10);
    if (!Number.isFinite(number)) number = 1;
    for (const child of list.children) {
      if (!isElement(child)) continue;
      // A list inside of a list, without an item around it.
      if (child.name !== 'li') {
        this.#add(child, depth + 1);
        this.#flush(depth + 1);
        continue;
      }
      const stated = Number.parseInt(child.attributes['value'] ?? '', 10);
      if (Number.isFinite(stated)) number = stated;
      const marker =
        list.name === 'ol' ? (child.attributes['marker'] ?? markerOf(list, number)) : '-';
      number++;
      this.#addItem(child, marker, depth);
    }
  }

  /** An item: its first paragraph behind the mark, and what else it has below. */
  #addItem(item: Element, marker: string, depth: number): void {
    const reason = whyHidden(item);
    if (reason !== undefined) {
      this.#report(item, reason);
      return;
    }
    this.#lastId = item.attributes['id'] ?? this.#lastId;
    const before = this.blocks.length;
    this.walk(item.children, depth + 1);
    this.#flush(depth + 1);
    const added = this.blocks.splice(before);
    const space = '  '.repeat(Math.min(depth, 6));
    const [first, ...others] = added;
    if (first?.kind !== 'paragraph') {
      // Nothing but code, a table or a heading: the mark would say nothing.
      for (const block of added) this.blocks.push(block);
      return;
    }
    const head: Block = {
      ...first,
      kind: 'item',
      left: depth * indent,
      text: `${space}${marker} ${first.text.replaceAll('\n', `\n${space}  `)}`,
    };
    this.blocks.push(head);
    let isOpen = true;
    for (const block of others) {
      // What follows belongs to the item until a heading or a table, which stand at the left.
      isOpen &&= !/^(?:heading|table|note)$/.test(block.kind);
      const isOuter = isOpen && !block.text.startsWith(' ');
      const text = isOuter ? block.text.replaceAll(/^(?=.)/gm, `${space}  `) : block.text;
      if (isOpen && this.blocks.at(-1) === head && block.kind === 'paragraph' && !block.label)
        head.text += `\n\n${text}`;
      else this.blocks.push({ ...block, text });
    }
  }

  #addTable(element: Element, depth: number): void {
    const table = readTable(element);
    if (isLayout(element, table)) {
      const cells = [...new Set(table.rows.flat())];
      for (const cell of cells) {
        this.walk(cell.children, depth);
        this.#flush(depth);
      }
      return;
    }
    if (table.caption !== undefined) {
      this.walk(table.caption.children, depth);
      this.#flush(depth);
    }
    const text = writeCells(table, (cell) => {
      const reason = whyHidden(cell);
      if (reason !== undefined) this.#report(cell, reason);
      return reason === undefined ? writeInline(spread(cell.children), this.#hooks) : '';
    });
    if (text === '') return;
    this.#push({ kind: 'table', text });
  }

  #noteNumber(reference: string): number {
    const content = this.options.notes.get(reference);
    const write = () =>
      content === undefined ? '' : writeInline(spread(content.children), this.#hooks);
    return this.#notes.numberOf(reference, write, this.#place());
  }

  #report(element: Element, reason: HiddenReason): void {
    const text = lineOf(element).slice(0, longestHidden);
    if (text !== '') this.hidden.push({ page: 1, reason, text });
  }
}
