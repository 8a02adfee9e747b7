import { writePower } from '../layout/join-runs.js';
import type { Block } from '../../sections/block.js';

/** A number, or signs as Markdown. */
const mark = String.raw`\d{1,3}|(?:\\?[*†‡§¶])+`;
const written = new RegExp(String.raw`\[\^(${mark})\]`, 'gu');
const anyMark = new RegExp(String.raw`\[\^(${mark})\](?!:)`, 'gu');
const noteStart = new RegExp(String.raw`^\[\^(${mark})\]: `, 'u');

const isSign = (number: string) => !/^\d/.test(number);

/** Without their note, numbers are raised figures. Signs are themselves, with a note or without. */
function writeMark(number: string): string {
  return !isSign(number) ? writePower(number) : number.replace(/\\?\*/g, '\\*');
}

/** A footnote's number on a page: a document may count anew on each one. */
const keyOf = (page: number, number: string) => `${page} ${number.replaceAll('\\', '')}`;

/** True for a block whose raised numbers may refer to a footnote. Code has none. */
function mayRefer(block: Block): boolean {
  return block.kind !== 'note' && block.kind !== 'code';
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
        // Raised figures of a heading may be powers. Its signs are marks.
        if (block.kind === 'heading' && !isSign(number)) continue;
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
 * mark becomes a paragraph with its number at the end of the chapter in which its page ends, and a note with a sign
 * becomes one, too.
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
      waiting.push(asParagraph(block));
      continue;
    }
    result.push(mayRefer(block) ? withMarks(block, known) : block);
    for (const note of paired.get(at) ?? []) {
      waiting.push(isSign(noteStart.exec(note.text)?.[1] ?? '') ? asParagraph(note) : note);
    }
  }
  return [...result, ...waiting];
}

function asParagraph(note: Block): Block {
  const text = note.text.replace(noteStart, (_, number: string) =>
    isSign(number) ? `${writeMark(number)} ` : `${number} `,
  );
  return { ...note, kind: 'paragraph', text };
}

/** Keeps the numbers that refer to a note, whichever block of the page refers to it first. A heading keeps all of them. */
function withMarks(block: Block, known: ReadonlySet<string>): Block {
  if (block.kind === 'heading') {
    // It is not yet Markdown, and its title loses all marks.
    const printed = block.printed?.replace(anyMark, (found, number: string) =>
      isSign(number) ? number : found,
    );
    return printed === undefined ? block : { ...block, printed };
  }
  if (!block.text.includes('[^')) return block;
  const isKnown = (number: string) =>
    [...pagesOf(block)].some((page) => known.has(keyOf(page, number)));
  const text = block.text.replace(anyMark, (found, number: string) =>
    !isSign(number) && isKnown(number) ? found : writeMark(number),
  );
  return text === block.text ? block : { ...block, text };
}
