import { copyOnPress } from './copy-text.js';
import { element } from '../dom/element.js';
import { elsewhere } from '../dom/source-link.js';
import type { Alignment, Block, Inline } from './blocks.js';

export interface MarkdownOptions {
  /** Renders `[n]`. Undefined when there is no such source: the text stays unchanged. */
  citation: (n: number) => Node | undefined;
  /** The labels of a code block's copy button, before and after a press. */
  copyLabel: string;
  copied: string;
}

type Row = Inline[][];

/**
 * Changes a container from `before` to `after`, using only elements and text nodes: no part of an answer is interpreted
 * as HTML. Unchanged parts keep their nodes and selections, down to list items and table rows, so a growing answer
 * changes only at its end. Pass `parseMarkdown` its previous result.
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

  /** A block without its content. `level`: the level of a heading, from 1. */
  const shell = (given: Block, level: number): HTMLElement => {
    switch (given.type) {
      case 'paragraph':
        return element('p');
      case 'heading':
        // Below the panel's own headings.
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

  /** `over`: the levels of the headings above the blocks, the outermost first. */
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
        // A known node has the same type.
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
 * Changes a node's children from `old` to `all`. `fill` updates a grown part's node; `make` creates an empty node.
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

/** A block of code without its text. `over`: the content of its head. */
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

/** With `isOutside`, without the content. */
function written(one: Inline | Block | Row, isOutside = false): string {
  return JSON.stringify(isOutside ? { ...(one as Inline), to: 0, text: 0, children: 0 } : one);
}

/** A heading ends headings of its own and deeper levels. The shown levels thus have no gaps, whatever the text has. */
function levelsBelow(over: readonly number[], block: Block): readonly number[] {
  if (block.type !== 'heading') return over;
  return [...over.filter((level) => level < block.level), block.level];
}
