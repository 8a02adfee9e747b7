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
  const nodes: { node: Text; start: number; length: number }[] = [];
  let shown = '';
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (node.parentElement?.closest('button')) continue;
    nodes.push({ node, start: shown.length, length: node.length });
    shown += node.data;
  }
  const found: Stretch[] = [];
  for (const { from, to } of stretches) {
    const one = findStretch(shown, response.slice(from, to), found.at(-1)?.to ?? 0);
    if (one) found.push(one);
  }
  // From the last to the first: what is before a cut stays in its node.
  for (const { from, to } of found.reverse())
    for (const { node, start, length } of nodes) {
      const range = new Range();
      const [first, last] = [Math.max(from - start, 0), Math.min(to - start, length)];
      if (node.data.slice(first, Math.max(last, 0)).trim() === '') continue;
      range.setStart(node, first);
      range.setEnd(node, last);
      range.surroundContents(element('mark', { title }));
    }
  return found.length > 0;
}
