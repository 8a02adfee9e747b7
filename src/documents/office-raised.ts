import { makeElement, rawText, type TreeNode } from './tree.js';

/** Marks the nodes of a run that is raised. Notes and links in it stay what they are. */
export function raised(nodes: TreeNode[]): TreeNode[] {
  return nodes.every((node) => typeof node === 'string') ? [makeElement('raised', nodes)] : nodes;
}

/** A paragraph with its raised runs as text: neighbours are one, wherever an editor parted them. */
export function withRaised(nodes: readonly TreeNode[]): TreeNode[] {
  let before = '';
  const write = (parents: readonly TreeNode[]): TreeNode[] => {
    const written: TreeNode[] = [];
    let run: TreeNode[] = [];
    const endRun = () => {
      if (run.length === 0) return;
      before = raisedText(before, run.map(rawText).join(''));
      written.push(before);
      run = [];
    };
    for (const node of parents) {
      if (typeof node !== 'string' && node.name === 'raised') {
        for (const child of node.children) run.push(child);
        continue;
      }
      endRun();
      if (typeof node !== 'string' && node.children.length > 0) {
        written.push({ ...node, children: write(node.children) });
        continue;
      }
      if (node !== '') before = typeof node === 'string' ? node : '';
      written.push(node);
    }
    endRun();
    return written;
  };
  return write(nodes);
}

/** A raised number behind a number or bracket is a power, 10^-3, and behind a letter it is written as its sign: km². */
function raisedText(before: string, words: string): string {
  if (/[\d)]$/.test(before) && /^[-−+]?\d/.test(words)) return `^${words}`;
  if (!/\p{L}$/u.test(before) || !/^-?\d{1,2}$/.test(words.trimEnd())) return words;
  return words.replace('-', '⁻').replaceAll(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit)));
}
