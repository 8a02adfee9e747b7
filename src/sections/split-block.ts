import { escapeStart } from '../platform/text/escape-markdown.js';
import type { Block } from './block.js';
import { chooseCuts } from './choose-cuts.js';

/** In characters: no cell is cut into parts that are shorter. */
const shortestPart = 400;

/** Splits a text near the limit, at the last of the given ends that leaves a useful part. */
function cutText(text: string, max: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > max) {
    const window = rest.slice(0, max);
    const sentence = Math.max(
      window.lastIndexOf('. '),
      window.lastIndexOf('。'),
      window.lastIndexOf('! '),
      window.lastIndexOf('? '),
    );
    const space = window.lastIndexOf(' ');
    const at = sentence > 0.4 * max ? sentence + 1 : space > 0 ? space : max;
    parts.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return rest === '' ? parts : [...parts, rest];
}

/** Groups rows up to the limit, if possible not between rows that belong together. */
function groupRows(rows: readonly string[], max: number, costOf: (at: number) => number): string[] {
  const starts = chooseCuts(
    rows.map((row) => row.length + 1),
    rows.map((_, at) => costOf(at)),
    max,
  );
  return starts.map((start, at) => rows.slice(start, starts[at + 1]).join('\n'));
}

/** Splits a row that is too long by itself: what its longest cells have too much goes on in rows below. */
function splitRow(row: string, max: number): string[] {
  const cells = row.replace(/^\| | \|$/g, '').split(/ (?<!\\)\| /);
  const [longest = ''] = [...cells].sort((a, b) => b.length - a.length);
  if (row.length <= max || longest.length < shortestPart) return [row];
  const at = cells.indexOf(longest);
  const withCell = (own: readonly string[], text: string) =>
    `| ${own.map((cell, column) => (column === at ? text : cell)).join(' | ')} |`;
  const others = row.length - longest.length;
  const [first = '', ...rest] = cutText(longest, Math.max(shortestPart / 2, max - others));
  const empty = cells.map(() => '');
  const more = cutText(rest.join(' '), max - 4 * cells.length);
  return [...splitRow(withCell(cells, first), max), ...more.map((text) => withCell(empty, text))];
}

/** Code is cut at empty lines, but not below the words that lead to what follows. */
function costInCode(lines: readonly string[], at: number): number {
  return lines[at - 1] === '' && !/[:：]\s*$/.test(lines[at - 2] ?? '') ? 0 : 1;
}

/**
 * Splits a block that is too long for a section into independent parts: code keeps its fence and is cut at empty lines,
 * tables keep their head.
 */
export function splitBlock(block: Block, max: number): Block[] {
  const rows = block.text.split('\n');
  const short = (all: readonly string[], length: number) =>
    all.flatMap((row) => (row.length > length ? cutText(row, length) : [row]));
  let texts: string[];
  if (block.kind === 'code') {
    const fence = rows[0] ?? '```';
    const room = max - 2 * fence.length - 2;
    const lines = short(rows.slice(1, -1), room);
    texts = groupRows(lines, room, (at) => costInCode(lines, at)).map(
      (text) => `${fence}\n${text.replace(/\n+$/, '')}\n${fence}`,
    );
  } else if (block.kind === 'table' && block.text.startsWith('|')) {
    const head = `${rows[0] ?? ''}\n${rows[1] ?? ''}\n`;
    const room = Math.max(200, max - head.length);
    const lines = rows.slice(2).flatMap((row) => splitRow(row, room));
    const keyOf = (at: number) => /^\| (.*?) ?\|./.exec(lines[at] ?? '')?.[1];
    // A row without a first cell, or with the same one, continues the one above.
    const goesOn = (at: number) => keyOf(at) === '' || keyOf(at) === keyOf(at - 1);
    texts = groupRows(lines, room, (at) => (goesOn(at) ? 0.5 : 0)).map(
      // A footnote stands with the first part alone.
      (text, at) => (at === 0 ? head : head.replaceAll(/\[\^\d+\]/g, '')) + text,
    );
  } else if (block.kind === 'table') {
    texts = groupRows(short(rows, max), max, () => 0);
  } else {
    const [first = '', ...others] = cutText(block.text, max);
    texts = [first, ...others.map(escapeStart)];
  }
  const { label: _, ...unnamed } = block;
  return texts.map((text, at) => ({ ...(at === 0 ? block : unnamed), text }));
}
