import { isElement, lineOf, type Element, type TreeNode } from './tree.js';

const arrow = /^[\s[(]*[↑⇑⇧⬆▲△^←→⇐⇒◀▶◄►«»]+[\s\ufe0e\ufe0f)\]]*$/u;

/** What a heading says: without arrows that lead through the page, and without badges and signs beside its words. */
export function headingWords(heading: Element): TreeNode[] {
  const hasWords = lineOf(heading) !== '';
  const keep = (nodes: readonly TreeNode[]): TreeNode[] =>
    nodes.flatMap((node): TreeNode[] => {
      if (!isElement(node)) return [node];
      if (node.name === 'img' && hasWords) return [];
      if (node.name === 'a' && arrow.test(lineOf(node))) return [];
      return [{ ...node, children: keep(node.children) }];
    });
  return keep(heading.children);
}
