import { element } from '../dom/element.js';
import type { Stretch } from './find-stretch.js';

/**
 * Wraps parts of a text in `<mark>`: those that `findIn` names of the displayed text, in its order and without an
 * overlap. A label is given once per part and paragraph or list, at its end, or below a table or code. The label is
 * drawn by a style, so that screen readers read it but a selection does not contain it. Texts of buttons (citations,
 * "Copy") are not part of the text, and a table's head makes no statement.
 */
export function markStretches(
  container: HTMLElement,
  findIn: (shown: string) => Stretch[],
  label: string,
): void {
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  const nodes: { node: Text; start: number }[] = [];
  let shown = '';
  for (let node; (node = walker.nextNode() as Text | null);) {
    if (node.parentElement?.closest('button')) continue;
    nodes.push({ node, start: shown.length });
    shown += node.data;
  }
  // From last to first: text before a cut stays in its node, and no node is examined once per sentence.
  for (const { from, to } of findIn(shown).reverse()) {
    let labelled: Element | null | undefined;
    for (let last = nodes.at(-1); last; last = nodes.at(-1)) {
      const { node, start } = last;
      const end = Math.min(to - start, node.length);
      const begin = Math.max(from - start, 0);
      if (shown.slice(start + begin, start + end).trim() && !node.parentElement?.closest('th')) {
        node.splitText(end);
        const piece = begin > 0 ? node.splitText(begin) : node;
        const mark = element('mark');
        piece.before(mark);
        mark.append(piece);
        const block = mark.closest('.text>*');
        if (block !== labelled) {
          // A label inside a scrolling box would scroll away.
          const box = mark.closest('.code,.table');
          const named = box ? element('mark') : mark;
          named.dataset['label'] = label;
          if (box?.nextElementSibling?.localName !== 'mark') box?.after(named);
        }
        labelled = block;
      }
      // The previous sentence may end in the same node.
      if (start <= from) break;
      nodes.pop();
    }
  }
}
