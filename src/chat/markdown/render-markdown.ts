import { copyOnPress } from './copy-text.js';
import { element } from '../dom/element.js';
import { elsewhere } from '../dom/source-link.js';
import type { Alignment, Block, Inline } from './blocks.js';

export interface MarkdownOptions {
  /** What `[n]` becomes; undefined where there is no such source: it stays as it is written. */
  citation: (n: number) => Node | undefined;
  /** On the button of a block of code, before and after it was pressed. */
  copyLabel: string;
  copied: string;
}

type Row = Inline[][];

/**
 * Makes a container that shows `before` show `after`, with elements and texts alone: nothing of an answer is ever read
 * as HTML. What is the same keeps its nodes, and what is selected in them, down to the items of a list and the rows of a
 * table: an answer that grows changes its end alone, however long its last block is. Give `parseMarkdown` what it gave
 * last.
 */
export function updateMarkdown(
  container: Element,
  before: readonly Block[],
  after: readonly Block[],
  options: MarkdownOptions,
): void {
  const inline = (node: Inline): Node | string => {
    switch (node.type) {
      case 'text':
        return node.text;
      case 'code':
        return element('code', {}, node.text);
      case 'break':
        return element('br');
      case 'citation': {
        const made = options.citation(node.number);
        if (!made) return `[${node.number}]${node.sign}`;
        return element('span', { class: 'cited' }, made, node.sign);
      }
      case 'link':
        return element('a', { href: node.href, ...elsewhere }, ...node.children.map(inline));
      default:
        return element(node.type, {}, ...node.children.map(inline));
    }
  };

  const row = (cells: Row, tag: 'th' | 'td', align: readonly Alignment[]): HTMLElement =>
    element(
      'tr',
      {},
      ...cells.map((cell, column) => {
        const made = element(tag, {}, ...cell.map(inline));
        made.style.textAlign = align[column] ?? '';
        return made;
      }),
    );

  /** A block without what it holds. `level`: of a heading, from 1 on. */
  const shell = (given: Block, level: number): HTMLElement => {
    switch (given.type) {
      case 'paragraph':
        return element('p');
      case 'heading':
        // Below the headings of the panel itself.
        return element(`h${Math.min(level + 2, 6)}` as 'h3');
      case 'code':
        return codeBlock(options, given.language, ...given.cited.map(inline));
      case 'quote':
        return element('blockquote');
      case 'list':
        return element(given.start === undefined ? 'ul' : 'ol', { start: given.start });
      case 'item':
        return element('li');
      case 'table': {
        const head = element('thead', {}, row(given.head, 'th', given.align));
        const table = element('table', {}, head, element('tbody'));
        return element('div', { class: 'table', tabindex: 0 }, table);
      }
      case 'rule':
        return element('hr');
    }
  };

  /** `over`: the levels of the headings that the blocks stand below, the outermost first. */
  const blocks = (
    parent: Element,
    all: readonly Block[],
    old: readonly Block[],
    over: readonly number[],
  ): void => {
    const levelsAt = (at: number) => all.slice(0, at + 1).reduce(levelsBelow, over);
    show(
      parent,
      all,
      old,
      (one, at) => shell(one, levelsAt(at).length),
      (node, one, known, at) => {
        // What is known has the same type.
        const held = <T>() => (known as { children?: T[] } | undefined)?.children ?? [];
        const [inner = node] = node.querySelectorAll('code,tbody');
        if (one.type === 'code') inner.textContent = one.text;
        else if (one.type === 'table')
          show(inner, one.children, held(), (cells: Row) => row(cells, 'td', one.align));
        else if (one.type === 'paragraph' || one.type === 'heading')
          show(node, one.children, held(), inline);
        else if ('children' in one) blocks(node, one.children, held(), levelsAt(at));
      },
    );
  };

  blocks(container, after, before, []);
}

/**
 * Makes the children of a node, of which each shows one of `old`, show those of `all`. `fill` goes on with what shows
 * a part of one already; what `make` has made shows nothing.
 */
function show<T extends Inline | Block | Row>(
  parent: Element,
  all: readonly T[],
  old: readonly T[],
  make: (one: T, at: number) => Node | string,
  fill?: (node: Element, one: T, known: T | undefined, at: number) => void,
): void {
  all.forEach((one, at) => {
    let known = old[at];
    if (known && (known === one || written(known) === written(one))) return;
    const node = parent.childNodes[at];
    if (!fill || !known || !node || written(known, true) !== written(one, true)) {
      known = undefined;
      const made = make(one, at);
      if (node) node.replaceWith(made);
      else parent.append(made);
    }
    fill?.(parent.childNodes[at] as Element, one, known, at);
  });
  while (parent.childNodes.length > all.length) parent.lastChild?.remove();
}

/** A block of code without its text. `over`: what stands in its head. */
function codeBlock(options: MarkdownOptions, ...over: (Node | string)[]): HTMLElement {
  const button = element('button', { type: 'button' });
  const shown = element('code');
  copyOnPress(button, options, () => ({ 'text/plain': shown.textContent }), shown);
  return element(
    'div',
    { class: 'code' },
    element('div', {}, element('span', {}, ...over), button),
    element('pre', { tabindex: 0 }, shown),
  );
}

/** With `isOutside`, without what it holds. */
function written(one: Inline | Block | Row, isOutside = false): string {
  return JSON.stringify(isOutside ? { ...(one as Inline), to: 0, text: 0, children: 0 } : one);
}

/** A heading ends those of its own level and deeper ones: so levels follow without a gap, whatever the text has. */
function levelsBelow(over: readonly number[], block: Block): readonly number[] {
  if (block.type !== 'heading') return over;
  return [...over.filter((level) => level < block.level), block.level];
}
