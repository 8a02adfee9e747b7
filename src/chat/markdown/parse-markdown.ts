import type { Alignment, Block, Inline } from './blocks.js';
import { parseInline } from './parse-inline.js';

/** Deeper nested quotes and lists stay text. */
const deepest = 6;

type Lines = readonly string[];

/**
 * Parses the common part of CommonMark, and tables. Never throws and takes linear time. `before`: the blocks of an
 * earlier, shorter version of this text. All but the last of them are reused as the same objects, so that a growing
 * text costs little.
 */
export function parseMarkdown(text: string, before: readonly Block[] = []): Block[] {
  // The last line may have been incomplete and may belong to the block before it.
  const blocks = before.slice(0, -2);
  let at = blocks.at(-1)?.to ?? 0;
  const lines = text.slice(at).split('\n');
  let line = 0;
  for (const block of parseBlocks(
    lines.map((each) => each.replace(/\r$/, '')),
    0,
  )) {
    for (; line < block.to; line += 1) at += (lines[line] ?? '').length + 1;
    block.to = at;
    blocks.push(block);
  }
  return blocks;
}

function parseBlocks(lines: Lines, depth: number): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const last = blocks.at(-1);
    const cited = isCited(lines[at]) && citedOf(last);
    if (last && cited) {
      cited.push(...parseInline(` ${lines[at] ?? ''}`));
      last.to = at += 1;
    } else if (isBlank(lines[at])) at += 1;
    else {
      const block =
        fenceAt(lines, at) ??
        lineAt(lines, at) ??
        (depth < deepest ? (quoteAt(lines, at, depth) ?? listAt(lines, at, depth)) : undefined) ??
        tableAt(lines, at) ??
        paragraphAt(lines, at);
      at = block.to;
      blocks.push(block);
    }
  }
  return blocks;
}

/** The sources cited after the end of a table or code block: in the table's last cell, or in the code's head. */
const citedOf = (block?: Block): Inline[] | undefined =>
  block?.type === 'table'
    ? (block.children.at(-1) ?? block.head).at(-1)
    : block?.type === 'code'
      ? block.cited
      : undefined;

const isBlank = (line = ''): boolean => !line.trim();
/** True for a line of citations only. */
const isCited = (line = ''): boolean => /^\s*(?:\[\d+\]\s*)+$/.test(line);
const isRule = (line: string): boolean => /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/.test(line);
const itemOf = (line: string) => /^([ \t]*)([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/.exec(line);

/** True when a line ends the paragraph before it. A year at the start of a line begins no list. */
function beginsBlock(line: string): boolean {
  return (
    /^ {0,3}(?:#{1,6}(?:[ \t]|$)|>|`{3}[^`]*$|~{3}|[ \t]*(?:[-*+]|1[.)])[ \t]+\S)/.test(line) ||
    isRule(line)
  );
}

/** A code block. Without an end, it extends to the end of the text. */
function fenceAt(lines: Lines, at: number): Block | undefined {
  const [, indent = '', fence, info = ''] =
    /^([ \t]*)(`{3,}|~{3,}(?!~))([^`]*)$/.exec(lines[at] ?? '') ?? [];
  if (!fence) return undefined;
  const code: string[] = [];
  let to = at + 1;
  for (; to < lines.length; to += 1) {
    const line = lines[to] ?? '';
    const end = line.trim();
    if (end.startsWith(fence) && end === fence.charAt(0).repeat(end.length)) break;
    code.push(outdented(line, indent.length));
  }
  return {
    type: 'code',
    language: info.trim(),
    text: code.join('\n'),
    cited: [],
    to: Math.min(to + 1, lines.length),
  };
}

function lineAt(lines: Lines, at: number): Block | undefined {
  const line = lines[at] ?? '';
  const to = at + 1;
  if (isRule(line)) return { type: 'rule', to };
  const [mark, signs] = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line) ?? [];
  if (!mark || !signs) return undefined;
  const title = line.slice(mark.length).trim();
  let end = title.length;
  while (title[end - 1] === '#') end -= 1;
  // Closing number signs are removed only if a space precedes them: "C#" keeps its sign.
  const text = end === 0 || /\s/.test(title[end - 1] ?? '') ? title.slice(0, end) : title;
  return { type: 'heading', level: signs.length, children: parseInline(text.trim()), to };
}

function quoteAt(lines: Lines, at: number, depth: number): Block | undefined {
  const inner: string[] = [];
  let to = at;
  for (; to < lines.length; to += 1) {
    const line = lines[to] ?? '';
    const [mark] = /^ {0,3}> ?/.exec(line) ?? [];
    if (mark === undefined && (to === at || !goesOn(line, inner.at(-1)))) break;
    inner.push(line.slice(mark?.length ?? 0));
  }
  return to > at ? { type: 'quote', children: parseBlocks(inner, depth + 1), to } : undefined;
}

/** True when a line without block marks still continues the paragraph. */
function goesOn(line: string, previous: string | undefined): boolean {
  return !isBlank(line) && !isBlank(previous) && !beginsBlock(line);
}

function listAt(lines: Lines, at: number, depth: number): Block | undefined {
  const items: string[][] = [];
  let kind: string | undefined;
  let margin = 0;
  let width = 0;
  let to = at;
  for (; to < lines.length; to += 1) {
    const line = lines[to] ?? '';
    const previous = items.at(-1);
    const [mark, indent = '', sign = ''] = (!isRule(line) && itemOf(line)) || [];
    // Models often indent by two columns, whatever the width of the number, so two columns are enough.
    const inside = previous && widthOf(line) >= Math.min(width, margin + 2);
    if (mark !== undefined && !inside) {
      if (kind !== undefined && kind !== sign.at(-1)) break;
      kind = sign.at(-1);
      margin = widthOf(indent);
      width = margin + sign.length + 1;
      items.push([line.slice(indent.length + sign.length + 1)]);
    } else if (previous && (inside || isBlank(line))) {
      previous.push(outdented(line, width));
    } else if (previous && goesOn(line, previous.at(-1))) {
      previous.push(line);
    } else break;
  }
  if (!items[0]) return undefined;
  const number = parseInt(itemOf(lines[at] ?? '')?.[2] ?? '', 10);
  return {
    type: 'list',
    start: number >= 0 ? number : undefined,
    children: items.map((item) => ({
      type: 'item',
      children: parseBlocks(item, depth + 1),
      to: 0,
    })),
    to,
  };
}

/** The indentation of a line, in columns. */
function widthOf(line: string): number {
  return (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
}

/** A line without the first `columns` columns of its indentation. */
function outdented(line: string, columns: number): string {
  let at = 0;
  for (let left = columns; left > 0 && /[ \t]/.test(line.charAt(at)); at += 1) {
    left -= line[at] === '\t' ? 4 : 1;
  }
  return line.slice(at);
}

function tableAt(lines: Lines, at: number): Block | undefined {
  const next = lines[at + 1] ?? '';
  if (!lines[at]?.includes('|') || !/^[\s|:-]+$/.test(next)) return undefined;
  const head = cellsOf(lines[at] ?? '');
  const rule = cellsOf(next);
  if (!head.length || rule.length !== head.length || !rule.every((cell) => /^:?-+:?$/.test(cell)))
    return undefined;
  const rows: string[][] = [];
  let to = at + 2;
  for (; to < lines.length; to += 1) {
    const line = lines[to] ?? '';
    if (isBlank(line) || beginsBlock(line) || isCited(line)) break;
    rows.push(cellsOf(line));
  }
  return {
    type: 'table',
    head: head.map(parseInline),
    align: rule.map(alignmentOf),
    children: rows.map((row) => row.map(parseInline)),
    to,
  };
}

function alignmentOf(rule: string): Alignment {
  if (rule.endsWith(':')) return rule.startsWith(':') ? 'center' : 'right';
  return rule.startsWith(':') ? 'left' : '';
}

function cellsOf(line: string): string[] {
  const cells = line.trim().split(/(?<!\\)\|/);
  if (isBlank(cells[0])) cells.shift();
  if (isBlank(cells.at(-1))) cells.pop();
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function paragraphAt(lines: Lines, at: number): Block {
  let to = at + 1;
  while (to < lines.length && goesOn(lines[to] ?? '', 'text') && !tableAt(lines, to)) to += 1;
  const text = lines.slice(at, to).map((line) => line.trimStart());
  return { type: 'paragraph', children: parseInline(text.join('\n').trimEnd()), to };
}
