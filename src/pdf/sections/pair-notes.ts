import type { Block } from './block.js';

const anyMark = /\[\^(\d{1,3})\](?!:)/g;
const noteStart = /^\[\^(\d{1,3})\]: /;
const raised = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

interface Note {
  block: Block;
  number: string;
  /** The block with the mark of this note. */
  markedIn: number | undefined;
}

/** True for a block whose raised numbers may refer to a footnote. Code has none. */
function mayRefer(block: Block): boolean {
  return block.kind !== 'note' && block.kind !== 'code' && block.kind !== 'heading';
}

/** The last block on the note's page, or on the page before it, that has a mark with its number. */
function findMark(blocks: readonly Block[], note: Block, number: string): number | undefined {
  const mark = `[^${number}]`;
  let found: number | undefined;
  for (const [at, block] of blocks.entries()) {
    const isNear = block.pageTo >= note.pageFrom - 1 && block.pageFrom <= note.pageFrom;
    if (!isNear || !mayRefer(block) || !block.text.includes(mark)) continue;
    const onPage = block.pageTo >= note.pageFrom;
    if (onPage) return at;
    found = at;
  }
  return found;
}

/** A mark without a note, written as the raised number that it is: sp², note⁷. */
function raise(number: string): string {
  return Array.from(number, (digit) => raised[Number(digit)] ?? digit).join('');
}

/**
 * Pairs the marks of footnotes with their notes. Each note moves to the end of the chapter in which its mark stands. A
 * mark without a note is a power, or its note is elsewhere: it becomes a raised number. A note without a mark becomes a
 * paragraph with its number.
 */
export function pairNotes(blocks: readonly Block[]): Block[] {
  const notes: Note[] = [];
  for (const block of blocks) {
    const number = block.kind === 'note' ? noteStart.exec(block.text)?.[1] : undefined;
    if (number !== undefined) {
      notes.push({ block, number, markedIn: findMark(blocks, block, number) });
    }
  }
  const paired = new Map<number, Note[]>();
  const isPaired = new Set<Block>();
  for (const note of notes) {
    if (note.markedIn === undefined) continue;
    isPaired.add(note.block);
    paired.set(note.markedIn, [...(paired.get(note.markedIn) ?? []), note]);
  }
  const result: Block[] = [];
  let waiting: Block[] = [];
  for (const [at, block] of blocks.entries()) {
    if (block.kind === 'heading') {
      result.push(...waiting);
      waiting = [];
    }
    if (isPaired.has(block)) continue;
    if (block.kind === 'note') {
      const text = block.text.replace(noteStart, '$1 ');
      result.push({ ...block, kind: 'paragraph', text });
      continue;
    }
    const own = paired.get(at) ?? [];
    const numbers = new Set(own.map(({ number }) => number));
    result.push(mayRefer(block) ? withMarks(block, numbers, blocks, notes) : block);
    waiting.push(...own.map((note) => note.block));
  }
  return [...result, ...waiting];
}

/** Keeps the marks that refer to a note: its own, or one that another block on the page refers to first. */
function withMarks(
  block: Block,
  own: ReadonlySet<string>,
  blocks: readonly Block[],
  notes: readonly Note[],
): Block {
  if (!block.text.includes('[^')) return block;
  const isKnown = (number: string) =>
    own.has(number) ||
    notes.some((note) => {
      const other = note.markedIn === undefined ? undefined : blocks[note.markedIn];
      return (
        note.number === number &&
        other !== undefined &&
        other.pageFrom <= block.pageTo &&
        other.pageTo >= block.pageFrom
      );
    });
  const text = block.text.replace(anyMark, (mark, number: string) =>
    isKnown(number) ? mark : raise(number),
  );
  return text === block.text ? block : { ...block, text };
}
