import type { Alignment, Block, Inline } from './blocks.js';
import { copyOnPress } from './copy-text.js';

export interface MarkdownOptions {
  document: Document;
  /** What `[n]` becomes; undefined where there is no such source: it stays as it is written. */
  citation: (n: number) => Node | undefined;
  /** On the button of a block of code, before and after it was pressed. */
  copyLabel: string;
  copied: string;
}

/**
 * One node a block, made of elements and texts alone: nothing of an answer is ever read as HTML. `above` are the blocks
 * that stand before these already.
 */
export function renderMarkdown(
  blocks: readonly Block[],
  options: MarkdownOptions,
  above: readonly Block[] = [],
): DocumentFragment {
  const { document } = options;

  const element = <K extends keyof HTMLElementTagNameMap>(
    tag: K,
    children: readonly (Node | string)[] = [],
  ): HTMLElementTagNameMap[K] => {
    const made = document.createElement(tag);
    made.append(...children);
    return made;
  };

  const inlines = (nodes: readonly Inline[]): DocumentFragment => {
    const fragment = document.createDocumentFragment();
    let cited: HTMLElement | undefined;
    for (const node of nodes) {
      const made = inline(node);
      // Browsers may break a line behind a button: a colon would begin the next one.
      const [sign = ''] = (cited && node.type === 'text' && /^[.,:;!?)]+/.exec(node.text)) || [];
      cited?.append(sign);
      cited = undefined;
      if (node.type === 'citation' && typeof made !== 'string') {
        cited = element('span', [made]);
        cited.className = 'cited';
        fragment.append(cited);
      } else fragment.append(typeof made === 'string' ? made.slice(sign.length) : made);
    }
    return fragment;
  };

  const inline = (node: Inline): Node | string => {
    switch (node.type) {
      case 'text':
        return node.text;
      case 'code':
        return element('code', [node.text]);
      case 'break':
        return element('br');
      case 'citation':
        return options.citation(node.number) ?? `[${node.number}]`;
      case 'link': {
        const link = element('a', [inlines(node.children)]);
        link.href = node.href;
        link.target = '_blank';
        link.rel = 'noopener noreferrer';
        return link;
      }
      default:
        return element(node.type, [inlines(node.children)]);
    }
  };

  /** `over`: the levels of the headings that the blocks stand below, the outermost first. */
  const nested = (children: readonly Block[], over: readonly number[]): DocumentFragment => {
    const fragment = document.createDocumentFragment();
    let levels = over;
    for (const child of children) {
      levels = levelsAt(child, levels);
      fragment.append(block(child, levels));
    }
    return fragment;
  };

  const code = (language: string, text: string): HTMLElement => {
    const button = element('button');
    const shown = element('code', [text]);
    const scrolled = element('pre', [shown]);
    const box = element('div', [element('div', [element('span', [language]), button]), scrolled]);
    button.type = 'button';
    scrolled.tabIndex = 0;
    box.className = 'code';
    copyOnPress(button, options, () => text, shown);
    return box;
  };

  const row = (
    cells: readonly Inline[][],
    tag: 'th' | 'td',
    align: readonly Alignment[],
  ): HTMLElement =>
    element(
      'tr',
      cells.map((cell, column) => {
        const made = element(tag, [inlines(cell)]);
        made.style.textAlign = align[column] ?? '';
        return made;
      }),
    );

  const block = (given: Block, levels: readonly number[]): HTMLElement => {
    switch (given.type) {
      case 'paragraph':
        return element('p', [inlines(given.children)]);
      case 'heading':
        // Below the headings of the panel itself.
        return element(`h${Math.min(levels.length + 2, 6)}` as 'h3', [inlines(given.children)]);
      case 'code':
        return code(given.language, given.text);
      case 'quote':
        return element('blockquote', [nested(given.children, levels)]);
      case 'list': {
        const list = element(given.start === undefined ? 'ul' : 'ol');
        if (list instanceof HTMLOListElement) list.start = given.start ?? 1;
        for (const item of given.items) list.append(element('li', [nested(item, levels)]));
        return list;
      }
      case 'table': {
        const rows = given.rows.map((cells) => row(cells, 'td', given.align));
        const head = element('thead', [row(given.head, 'th', given.align)]);
        const box = element('div', [element('table', [head, element('tbody', rows)])]);
        box.className = 'table';
        box.tabIndex = 0;
        return box;
      }
      case 'rule':
        return element('hr');
    }
  };

  return nested(
    blocks,
    above.reduce<readonly number[]>((levels, each) => levelsAt(each, levels), []),
  );
}

/** A heading ends those of its own level and deeper ones: so levels follow without a gap, whatever the text has. */
function levelsAt(block: Block, over: readonly number[]): readonly number[] {
  if (block.type !== 'heading') return over;
  return [...over.filter((level) => level < block.level), block.level];
}

/**
 * Makes a container that shows `before` show `after`. Blocks that are the same objects keep their nodes, and what is
 * selected in them: give `parseMarkdown` what it gave last, so that a growing answer changes its end alone.
 */
export function updateMarkdown(
  container: Element,
  before: readonly Block[],
  after: readonly Block[],
  options: MarkdownOptions,
): void {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  while (container.childNodes.length > same) container.lastChild?.remove();
  container.append(renderMarkdown(after.slice(same), options, after.slice(0, same)));
}
