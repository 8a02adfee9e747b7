import type { Block } from '../../sections/block.js';

/** Joins tables that go on over the page's end and repeat their heading there. The heading stays once. */
export function joinTables(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const before = joined.at(-1);
    const rest = before === undefined ? undefined : rowsBelow(before, block);
    if (before === undefined || rest === undefined) joined.push(block);
    else {
      const text = `${before.text}\n${rest}`;
      joined[joined.length - 1] = { ...before, text, pageTo: block.pageTo };
    }
  }
  return joined;
}

/** The rows of a table without the heading that it shares with the table on the page before. */
function rowsBelow(before: Block, block: Block): string | undefined {
  if (before.kind !== 'table' || block.kind !== 'table') return undefined;
  if (block.pageFrom !== before.pageTo + 1 || !block.text.startsWith('|')) return undefined;
  const [head = '', rule, ...rows] = block.text.split('\n');
  return before.text.startsWith(`${head}\n${rule}\n`) ? rows.join('\n') : undefined;
}
