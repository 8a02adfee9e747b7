import { escapeStart } from '../../platform/text/escape-markdown.js';
import type { Block } from './block.js';
import { isCaptionText } from './captions.js';

export interface SizeLimits {
  /** In characters; a longer section is split at paragraphs. */
  sectionMaxChars: number;
  /** In characters; a shorter section joins its parent or neighbour. */
  sectionMinChars: number;
}

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

/** Groups rows up to the limit. `before` and `after` enclose every group. */
function groupRows(rows: readonly string[], max: number, before: string, after: string): string[] {
  const groups: string[][] = [[]];
  let length = 0;
  for (const row of rows.flatMap((row) => (row.length > max ? cutText(row, max) : [row]))) {
    if (length + row.length + 1 > max && length > 0) {
      groups.push([]);
      length = 0;
    }
    groups.at(-1)?.push(row);
    length += row.length + 1;
  }
  return groups.map((group) => `${before}${group.join('\n')}${after}`);
}

/** Splits a block that is too long for a section into independent parts: code keeps its fence, tables their head. */
function splitBlock(block: Block, max: number): Block[] {
  const rows = block.text.split('\n');
  let texts: string[];
  if (block.kind === 'code') {
    const fence = rows[0] ?? '```';
    texts = groupRows(rows.slice(1, -1), max - 2 * fence.length - 2, `${fence}\n`, `\n${fence}`);
  } else if (block.kind === 'table' && block.text.startsWith('|')) {
    const head = `${rows[0] ?? ''}\n${rows[1] ?? ''}\n`;
    texts = groupRows(rows.slice(2), Math.max(200, max - head.length), head, '');
  } else if (block.kind === 'table') {
    texts = groupRows(rows, max, '', '');
  } else {
    const [first = '', ...others] = cutText(block.text, max);
    texts = [first, ...others.map(escapeStart)];
  }
  return texts.map((text) => ({ ...block, text }));
}

/** Puts each footnote behind the first block that refers to it, so that a cut hardly parts them. */
function besideTheirMarks(blocks: readonly Block[]): Block[] {
  const notes = new Set(blocks.filter((block) => block.kind === 'note'));
  if (notes.size === 0) return [...blocks];
  const result: Block[] = [];
  for (const block of blocks) {
    if (block.kind === 'note') continue;
    result.push(block);
    for (const note of notes) {
      const mark = note.text.slice(0, note.text.indexOf(']') + 1);
      if (!block.text.includes(mark)) continue;
      result.push(note);
      notes.delete(note);
    }
  }
  return [...result, ...notes];
}

/** The blocks of a part, its footnotes last. */
function notesLast(part: readonly Block[]): Block[] {
  const isNote = (block: Block) => block.kind === 'note';
  return [...part.filter((block) => !isNote(block)), ...part.filter(isNote)];
}

function isCaption(block: Block | undefined): boolean {
  return block?.kind === 'paragraph' && isCaptionText(block.text);
}

/** True for a caption below its table. If another table follows, it stands above that. */
function isBelowTable(block: Block, before: Block | undefined, after: Block | undefined): boolean {
  return isCaption(block) && before?.kind === 'table' && after?.kind !== 'table';
}

/** Splits blocks into parts of at most `sectionMaxChars`, as equal as possible, so that the last one is not tiny. */
export function splitLong(blocks: readonly Block[], limits: SizeLimits): Block[][] {
  const max = limits.sectionMaxChars;
  const pieces = besideTheirMarks(
    blocks.flatMap((block, at) => {
      // The first part of a long table leaves room for its caption.
      const above = blocks[at - 1];
      const room =
        block.kind === 'table' && isCaption(above) ? max - (above?.text.length ?? 0) - 2 : max;
      return block.text.length > room ? splitBlock(block, Math.max(room, 0.5 * max)) : [block];
    }),
  );
  const total = pieces.reduce((sum, piece) => sum + piece.text.length + 2, 0);
  if (pieces.length === 0) return [];
  const wanted = total / Math.ceil(total / max);
  const parts: Block[][] = [[]];
  let length = 0;
  let left = total;
  for (const [at, piece] of pieces.entries()) {
    const size = piece.text.length + 2;
    const full = length + size > max + 2;
    const enough = total > max && length >= wanted && left > limits.sectionMinChars;
    const last = parts.at(-1)?.at(-1);
    const isBelow = isBelowTable(piece, last, pieces[at + 1]);
    if (length > 0 && (full || (enough && piece.kind !== 'note' && !isBelow))) {
      const part = parts.at(-1) ?? [];
      const isLead =
        last?.kind === 'paragraph' && last.text.length < 300 && /[:：]$/.test(last.text);
      // A heading stays with the text below it, "as follows:" with what follows, and a caption with its table.
      const isAbove = isCaption(last) && piece.kind === 'table';
      const leads = last?.kind === 'heading' || isLead || isAbove;
      const goes = leads || (isBelow && (last?.text.length ?? 0) + size <= max);
      const count = isAbove && part.at(-2)?.kind === 'heading' ? 2 : 1;
      const trailing = goes && part.length > count ? part.splice(-count) : [];
      parts.push(trailing);
      length = trailing.reduce((sum, { text }) => sum + text.length + 2, 0);
    }
    parts.at(-1)?.push(piece);
    length += size;
    left -= size;
  }
  return parts.map(notesLast);
}
