import { element } from './element.js';
import { findStretch, type Stretch } from './find-stretch.js';

/**
 * Wraps what no source bears out in `<mark>`, so that it can be seen and is read out with its explanation. Returns
 * whether there is any. Texts of buttons (citations, "Copy") are no part of the answer.
 */
export function markStretches(
  container: HTMLElement,
  response: string,
  stretches: readonly Stretch[],
  title: string,
): boolean {
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (!node.parentElement?.closest('button')) nodes.push(node);
  }
  const shown = nodes.map(({ data }) => data).join('');
  let after = 0;
  for (const { from, to } of stretches) {
    const found = findStretch(shown, response.slice(from, to), after);
    if (!found) continue;
    after = found.to;
    wrap(nodes, found, title);
  }
  return after > 0;
}

/** Wraps part of a row of texts; `nodes` is kept the row that it is then. */
function wrap(nodes: Text[], { from, to }: Stretch, title: string): void {
  let start = 0;
  for (let index = 0; start < to; index++) {
    const node = nodes[index];
    if (!node) return;
    const end = start + node.length;
    if (end > from) {
      const part = start < from ? node.splitText(from - start) : node;
      if (end > to) nodes.splice(index + 1, 0, part.splitText(to - Math.max(from, start)));
      if (part !== node) nodes.splice(index + 1, 0, part);
      if (part.data.trim() !== '') {
        const mark = element('mark', { title });
        part.replaceWith(mark);
        mark.append(part);
      }
      if (part !== node) index++;
    }
    start = end;
  }
}
