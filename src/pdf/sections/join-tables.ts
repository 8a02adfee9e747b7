import type { Block } from '../../sections/block.js';

/** Joins tables that go on over the page's end and repeat their heading there. The heading stays once. */
export function joinTables(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const before = joined.at(-1);
    const rest = before === undefined ? undefined : rowsBelow(before, block);
    // A table whose heading alone still stood on the page before has it again above its rows.
    if (before !== undefined && isHeadAlone(before, block)) joined[joined.length - 1] = block;
    else if (before === undefined || rest === undefined) joined.push(block);
    else {
      const text = `${before.text}\n${rest}`;
      joined[joined.length - 1] = { ...before, text, pageTo: block.pageTo };
    }
  }
  return joined;
}

/** True for the heading of a table at the end of the page before the table itself. */
function isHeadAlone(before: Block, { kind, text, pageFrom }: Block): boolean {
  if (before.kind !== 'paragraph' || kind !== 'table' || before.pageTo !== pageFrom - 1)
    return false;
  const [head = ''] = text.split('\n');
  return head.startsWith('|') && head.slice(2, -2).replace(/(?: \|)+ /g, ' ') === before.text;
}

/** The rows of a table without the heading that it shares with the table on the page before. */
function rowsBelow(before: Block, block: Block): string | undefined {
  if (before.kind !== 'table' || block.kind !== 'table') return undefined;
  if (block.pageFrom !== before.pageTo + 1 || !block.text.startsWith('|')) return undefined;
  const [head = '', rule, ...rows] = block.text.split('\n');
  const isEmpty = !/[\p{L}\p{N}]/u.test(head);
  return isEmpty || !before.text.startsWith(`${head}\n${rule}\n`) ? undefined : rows.join('\n');
}
