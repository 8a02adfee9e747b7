import { isFilled, wordsOf, type OfficeBlock } from './office-blocks.js';
import { openBraces } from './typed-lines.js';

/** In lines: a longer block of code in the type of the text is not looked for. */
const mostLines = 200;
/** In characters: a longer line is a paragraph. */
const longestLine = 160;
/** Lines of the head of a block, such as a function's name and its arguments. */
const mostHeads = 4;
/** `begin` or a brace at the end of a line. */
const opener = /^begin$|\{$/i;
const nested = /(?:^|\b(?:then|do|else) )begin$|^try$|^case\b.* of$|\brecord$/i;
const end = /^end\b/i;
const sentence = /^\p{Lu}\p{L}* .{60,}[.!?:]$/u;
/** The name of a function or class, above its block. */
const head = /[;)]$|^\p{Ll}[^.!?:]*$/u;

/** A command at a prompt. */
const prompted = /^[$>] [a-z.~/]\S*(?: \S+)*$/;

/** In lines: fewer are no program. */
const fewestLines = 4;
/** A line of a program: a bracket, a remark, a value that is set, a call, or the head of a block. */
const statement =
  /^[(){}[\]]+[;,]?$|^(?:\/\/|#(?:include|define)\b|\/\*)|^(?!\p{Lu}\p{Ll}+ \p{Ll}).*[=(){}[\]:>"'].*[;{}]$|^\{.*\w\(|^(?:var|int|char|float|double|return|const|let|local) [^.]*;$|^[\w.]+(?: [\w.]+)? ?[-:+]?= ?\S|^[\w.\\]+(?:\(|:[\w.]+\().*(?:[,({;]|\)(?:\.\w+)?)$/u;
/** A line of a sentence. */
const words = /^\p{Lu}?\p{Ll}+,?(?: \p{L}[\p{Ll}'’]*,?){3}|^\p{Lu}.*\p{Ll}[.!?]$/u;

/** The blocks with code in the type of the text: commands, and, one paragraph for each line, from `begin` or a brace to its end. */
export function withCode(blocks: readonly OfficeBlock[]): OfficeBlock[] {
  const rows = blocks.map((block) =>
    block.kind === 'paragraph' && block.level === undefined ? wordsOf(block) : undefined,
  );
  const grounds = groundsOfCode(blocks);
  const marked = blocks.map((block) => {
    const isBoxOfCode = block.kind === 'paragraph' && grounds.has(block.ground ?? '');
    return isBoxOfCode && block.mono === 'none' && !words.test(wordsOf(block))
      ? { ...block, isBold: false, mono: 'all' as const }
      : block;
  });
  for (let at = 0; at < rows.length; at++) {
    if (!opener.test(rows[at] ?? '')) continue;
    const last = endOfBlock(rows, at);
    if (last === undefined) continue;
    for (let line = startOfHead(rows, at); line <= last; line++) {
      const block = marked[line];
      if (block?.kind === 'paragraph') marked[line] = { ...block, isBold: false, mono: 'all' };
    }
    at = last;
  }
  let above = '';
  let isCode = false;
  return marked.map((block, at) => {
    const row = rows[at] ?? '';
    const isBelow = above.endsWith(':') || (isCode && !row.includes(', '));
    if (isFilled(block)) above = row;
    const isShown = block.kind === 'paragraph' && !block.isBold && isCommand(row, isBelow);
    isCode = isShown;
    return isShown ? { ...block, mono: 'all' } : block;
  });
}

/** The styles and coloured boxes that hold lines of code in most places, and sentences in few. */
function groundsOfCode(blocks: readonly OfficeBlock[]): Set<string> {
  const rows = new Map<string, string[]>();
  for (const block of blocks) {
    if (block.kind !== 'paragraph' || block.ground === undefined || !isFilled(block)) continue;
    const lines = rows.get(block.ground) ?? [];
    rows.set(block.ground, lines);
    lines.push(wordsOf(block));
  }
  const isCodeLine = (row: string) => statement.test(row) || /^(?:[$>#] |<[?!/]?\w)/.test(row);
  const found = [...rows].filter(
    ([, lines]) =>
      lines.length >= fewestLines &&
      lines.filter(isCodeLine).length >= 0.5 * lines.length &&
      lines.filter((row) => words.test(row)).length < 0.2 * lines.length,
  );
  return new Set(found.map(([ground]) => ground));
}

/** True for a command at a prompt, and for one with options or paths below a line that announces it. */
function isCommand(row: string, isBelow: boolean): boolean {
  if (row.length > longestLine || /[.,;:!?]$/.test(row)) return false;
  if (prompted.test(row)) return true;
  const [first = '', ...words] = row.split(' ');
  const signs = words.filter((word) => /[-+/._*=<>|$~]/.test(word));
  const isProgram = /^[a-z.~/][\w.~/+-]*$/.test(first);
  return isBelow && isProgram && signs.length > 0 && signs.length >= 0.5 * words.length;
}

function endOfBlock(rows: readonly (string | undefined)[], from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < from + mostLines; at++) {
    const row = rows[at];
    if (row === undefined || row.length > longestLine || sentence.test(row)) return undefined;
    depth += openBraces([row]) + Number(nested.test(row)) - Number(end.test(row));
    if (depth <= 0) return at > from + 1 ? at : undefined;
  }
  return undefined;
}

/** The first line of what stands directly above a block and ends outside of brackets. */
function startOfHead(rows: readonly (string | undefined)[], from: number): number {
  if (!head.test(rows[from - 1] ?? '')) return from;
  let open = 0;
  for (let at = from - 1; at >= from - mostHeads; at--) {
    const row = rows[at] ?? '';
    if (row === '' || row.length > longestLine) return from;
    open += row.split(')').length - row.split('(').length;
    if (open <= 0) return at;
  }
  return from;
}
