import { element } from './element.js';
import { findStretches, type Stretch } from './stretches.js';

/**
 * Wraps what no source bears out in `<mark>`, so that it can be seen and is read out with its explanation. Returns
 * whether there is any. Texts of buttons (citations, "Copy") are no part of the answer.
 */
export function markStretches(
  container: HTMLElement,
  response: string,
  stretches: readonly Stretch[],
  explanation: string,
): boolean {
  const nodes = textNodes(container);
  const shown = nodes.map((node) => node.data).join('');
  const found = findStretches(shown, response, stretches);
  let start = 0;
  for (const node of nodes) {
    const end = start + node.length;
    // From the back, so that what is before the cut keeps its offsets.
    for (const { from, to } of [...found].reverse())
      if (from < end && to > start)
        wrap(node, Math.max(from - start, 0), Math.min(to, end) - start, explanation);
    start = end;
  }
  return found.length > 0;
}

function textNodes(container: HTMLElement): Text[] {
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node instanceof Text && node.parentElement?.closest('button') == null) nodes.push(node);
  return nodes;
}

function wrap(node: Text, from: number, to: number, explanation: string): void {
  if (node.data.slice(from, to).trim() === '') return;
  const part = node.splitText(from);
  part.splitText(to - from);
  const mark = element('mark', { class: 'stretch', title: explanation });
  part.replaceWith(mark);
  mark.append(part);
}
