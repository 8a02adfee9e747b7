import { isWayUp } from './link-rows.js';
import { isElement, lineOf, makeElement, type Element, type TreeNode } from './tree.js';

const arrow = /^[\s[(]*[↑⇑⇧⬆▲△^←→⇐⇒◀▶◄►«»]+[\s\ufe0e\ufe0f)\]]*$/u;
/** A formula that was drawn: its description is a word of the heading. */
const formula = /^\s*[$\\]/;

/** What a heading says: without arrows that lead through the page, and without badges and signs beside its words. */
export function headingWords(heading: Element): TreeNode[] {
  const hasWords = lineOf(heading) !== '';
  const keep = (nodes: readonly TreeNode[]): TreeNode[] =>
    nodes.flatMap((node): TreeNode[] => {
      if (!isElement(node)) return [node];
      if (node.name === 'img' && hasWords)
        return formula.test(node.attributes['alt'] ?? '') ? [node] : [];
      if (node.name === 'a' && (arrow.test(lineOf(node)) || isWayUp(makeElement('span', [node]))))
        return [];
      return [{ ...node, children: keep(node.children) }];
    });
  return keep(heading.children);
}
