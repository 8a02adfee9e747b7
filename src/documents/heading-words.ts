import { isWayUp } from './link-rows.js';
import { isElement, lineOf, makeElement, type Element, type TreeNode } from './tree.js';

const arrow = /^[\s[(]*[↑⇑⇧⬆▲△^←→⇐⇒◀▶◄►«»]+[\s\ufe0e\ufe0f)\]]*$/u;
/** A formula that was drawn: its description is a word of the heading. */
const formula = /^\s*[$\\]/;

/** What a heading says: without arrows that lead through the page, and without badges and signs beside its words. */
export function headingWords(heading: Element): TreeNode[] {
  const words = lineOf(heading);
  let isBegun = false;
  const keep = (nodes: readonly TreeNode[]): TreeNode[] =>
    nodes.flatMap((node): TreeNode[] => {
      if (!isElement(node)) {
        isBegun ||= node.trim() !== '';
        return [node];
      }
      if (node.name === 'img' && words !== '') {
        // A name that was drawn: `<img alt="Tux Paint"> version 0.9`.
        const isWord = formula.test(node.attributes['alt'] ?? '');
        return isWord || (!isBegun && /^\p{Ll}/u.test(words)) ? [node] : [];
      }
      const isWay = node.name === 'a' && isWayUp(makeElement('span', [node]));
      if (isWay || (node.name === 'a' && arrow.test(lineOf(node)))) return [];
      return [{ ...node, children: keep(node.children) }];
    });
  return keep(heading.children);
}
