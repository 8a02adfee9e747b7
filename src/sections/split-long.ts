import type { Block } from './block.js';
import { isCaptionText } from './labels.js';
import { chooseCuts, slack } from './choose-cuts.js';
import { sameLeft } from './part-name.js';
import { splitBlock } from './split-block.js';

export interface SizeLimits {
  /** In characters; a longer section is split at paragraphs. */
  sectionMaxChars: number;
  /** In characters; a shorter section joins its parent or neighbour. */
  sectionMinChars: number;
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

/** The left edges of a section's blocks, so that each block's place among them is its depth: 0 for the outermost. */
function depthsOf(blocks: readonly Block[]): (block: Block) => number {
  const edges: number[] = [];
  const lefts = blocks.flatMap(({ left }) => left ?? []).sort((a, b) => a - b);
  for (const left of lefts) if (left > (edges.at(-1) ?? -Infinity) + sameLeft) edges.push(left);
  return ({ left, text }) => {
    if (left === undefined) return 0;
    const depth = edges.filter((edge) => edge <= left).length - 1;
    return Math.max(depth, /^ */.exec(text)?.[0].length ? 1 : 0);
  };
}

/** True if more tables have a caption directly below than above. */
function hasCaptionsBelow(blocks: readonly Block[]): boolean {
  let below = 0;
  for (const [at, { kind }] of blocks.entries()) {
    if (kind === 'table')
      below += Number(isCaption(blocks[at + 1])) - Number(isCaption(blocks[at - 1]));
  }
  return below > 0;
}

/** True for a section that begins with a table and explains it below, and goes on so. */
function hasTablesFirst(blocks: readonly Block[]): boolean {
  const tables = blocks.filter(({ kind }) => kind === 'table');
  return tables.length > 2 && blocks.find(({ kind }) => kind !== 'heading') === tables[0];
}

/** True for words that end no sentence, such as a caption or a term. */
function isOpen({ kind, text }: Block): boolean {
  return kind === 'paragraph' && !/[.!?。！？)\]"”»]$/.test(text);
}

/** True for a list item that is only the head of what is below it: "(6) Files". */
function isItemHead({ kind, text }: Block, below: Block): boolean {
  return kind === 'item' && below.kind !== 'item' && text.length < 60 && !/[.!?;]$/.test(text);
}

/** What a cut between two blocks costs: nothing before a name, much in the middle of what belongs together. */
function costOfCut(
  [before, block, after]: readonly [Block, Block, Block | undefined],
  depth: number,
  { captionsBelow, tablesFirst }: { captionsBelow: boolean; tablesFirst: boolean },
): number {
  if (before.kind === 'heading') return 8;
  const [table, caption] = captionsBelow ? [before, block] : [block, before];
  if (table.kind === 'table' && isCaption(caption)) return 8;
  if (before.kind !== 'table' && /[:：]$/.test(before.text)) return 4;
  if (isItemHead(before, block)) return 4;
  if (before.label !== undefined && (block.left ?? 0) > (before.left ?? 0) + sameLeft) return 4;
  if (block.kind === 'heading') return 0;
  if (tablesFirst && block.kind === 'table' && before.kind !== 'table' && !isOpen(before)) return 0;
  // The caption of a figure belongs to the text above it.
  if (isCaption(block)) return after?.kind === 'table' ? 0.2 : 1.2;
  const inner = Math.min(depth, 3);
  return block.label !== undefined ? 0.5 * inner : inner + costWithin(before, block);
}

/** Of a cut before a block without a name. */
function costWithin(before: Block, block: Block): number {
  const numbered = /^\s*(?:\d|\p{L}[.)])/u;
  switch (block.kind) {
    case 'item':
      if (before.kind !== 'item') return 1.2;
      return numbered.test(block.text) ? 0.9 : 0.6;
    case 'code':
      // Below its caption, or the term that it explains.
      return isOpen(before) ? 4 : 1.2;
    case 'table':
      return 0.8;
    default:
      // A sentence that goes on.
      if (/^["“„«(]?\p{Ll}/u.test(block.text)) return 2;
      return isOpen(before) ? 1 : 0.4;
  }
}

/**
 * Splits blocks into parts of about `sectionMaxChars` or less, about equally long. A part begins where the document has
 * a name, else between paragraphs, and within a list or a table only where nothing else is near. What may not be
 * parted makes a part up to a fifth longer than the limit.
 */
export function splitLong(blocks: readonly Block[], limits: SizeLimits): Block[][] {
  const max = limits.sectionMaxChars;
  const pieces = besideTheirMarks(
    blocks.flatMap((block) => (block.text.length > slack * max ? splitBlock(block, max) : [block])),
  );
  const units: Block[][] = [];
  for (const piece of pieces) {
    const last = units.at(-1);
    if (piece.kind === 'note' && last !== undefined) last.push(piece);
    else units.push([piece]);
  }
  const depthOf = depthsOf(pieces);
  const heads = units.flatMap(([head]) => head ?? []);
  const order = { captionsBelow: hasCaptionsBelow(heads), tablesFirst: hasTablesFirst(blocks) };
  const starts = chooseCuts(
    units.map((unit) => unit.reduce((sum, { text }) => sum + text.length + 2, 0)),
    heads.map((head, at) => {
      const before = heads[at - 1];
      return before === undefined
        ? 0
        : costOfCut([before, head, heads[at + 1]], depthOf(head), order);
    }),
    max,
    limits.sectionMinChars,
  );
  return starts.map((start, at) => notesLast(units.slice(start, starts[at + 1]).flat()));
}
