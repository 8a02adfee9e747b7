import { writePower } from '../layout/join-runs.js';
import type { Block } from './block.js';

const written = /\[\^(\d{1,3})\]/g;
const anyMark = /\[\^(\d{1,3})\](?!:)/g;
const noteStart = /^\[\^(\d{1,3})\]: /;

/** A footnote's number on a page: a document may count anew on each one. */
const keyOf = (page: number, number: string) => `${page} ${number}`;

/** True for a block whose raised numbers may refer to a footnote. Code has none. */
function mayRefer(block: Block): boolean {
  return block.kind !== 'note' && block.kind !== 'code' && block.kind !== 'heading';
}

function* pagesOf({ pageFrom, pageTo }: Block): Generator<number> {
  for (let page = pageFrom; page <= pageTo; page++) yield page;
}

/** Where the marks of a document stand, as indexes of its blocks. */
class Marks {
  readonly #firstOn = new Map<string, number>();
  readonly #lastEndingOn = new Map<string, number>();

  constructor(blocks: readonly Block[]) {
    for (const [at, block] of blocks.entries()) {
      if (!mayRefer(block)) continue;
      for (const [, number = ''] of block.text.matchAll(written)) {
        for (const page of pagesOf(block)) {
          const key = keyOf(page, number);
          if (!this.#firstOn.has(key)) this.#firstOn.set(key, at);
        }
        this.#lastEndingOn.set(keyOf(block.pageTo, number), at);
      }
    }
  }

  /** The first block on the note's page that has a mark with its number, or the last one of the page before. */
  find({ pageFrom }: Block, number: string): number | undefined {
    return (
      this.#firstOn.get(keyOf(pageFrom, number)) ??
      this.#lastEndingOn.get(keyOf(pageFrom - 1, number))
    );
  }
}

/**
 * Pairs the marks of footnotes with their notes. Each note moves to the end of the chapter in which its mark stands. A
 * mark without a note is a power, or its note is elsewhere: it becomes a raised number (sp², note⁷). A note without a
 * mark becomes a paragraph with its number at the end of the chapter in which its page ends.
 */
export function pairNotes(blocks: readonly Block[]): Block[] {
  const marks = new Marks(blocks);
  const paired = new Map<number, Block[]>();
  const isPaired = new Set<Block>();
  /** The numbers of notes, on each page of the block with their mark. */
  const known = new Set<string>();
  for (const block of blocks) {
    const number = block.kind === 'note' ? noteStart.exec(block.text)?.[1] : undefined;
    const at = number === undefined ? undefined : marks.find(block, number);
    const marked = at === undefined ? undefined : blocks[at];
    if (number === undefined || at === undefined || marked === undefined) continue;
    isPaired.add(block);
    paired.set(at, [...(paired.get(at) ?? []), block]);
    for (const page of pagesOf(marked)) known.add(keyOf(page, number));
  }
  const result: Block[] = [];
  let waiting: Block[] = [];
  for (const [at, block] of blocks.entries()) {
    if (block.kind === 'heading') {
      for (const note of waiting) result.push(note);
      waiting = [];
    }
    if (isPaired.has(block)) continue;
    if (block.kind === 'note') {
      const text = block.text.replace(noteStart, '$1 ');
      waiting.push({ ...block, kind: 'paragraph', text });
      continue;
    }
    result.push(mayRefer(block) ? withMarks(block, known) : block);
    for (const note of paired.get(at) ?? []) waiting.push(note);
  }
  return [...result, ...waiting];
}

/** Keeps the marks that refer to a note, whichever block of the page refers to it first. */
function withMarks(block: Block, known: ReadonlySet<string>): Block {
  if (!block.text.includes('[^')) return block;
  const text = block.text.replace(anyMark, (mark, number: string) =>
    [...pagesOf(block)].some((page) => known.has(keyOf(page, number))) ? mark : writePower(number),
  );
  return text === block.text ? block : { ...block, text };
}
