import { stretchFinder, type Stretch } from '../../chat/view/find-stretch.js';

/** The fewest letters and digits of a piece that is searched for: fewer stand in many places. */
const least = 20;

/** A piece of a draft, and where its letters lie in those of the draft. */
interface Piece {
  text: string;
  from: number;
  to: number;
}

/**
 * Finds the words of a draft in the text of its pages, in the order of both. What stands between two sentences that
 * were found is part of the draft, unless the pages hold more there: a header, a footer, or a part of another draft.
 */
export function findDraft(shown: string, blocks: readonly string[]): Stretch[] {
  const find = stretchFinder(shown);
  const found: Stretch[] = [];
  let last: Piece | undefined;
  const search = (piece: Piece): void => {
    const stretch = find(piece.text);
    if (stretch === undefined) {
      for (const half of halvesOf(piece)) search(half);
      return;
    }
    const before = found.at(-1);
    const between = before && lettersOf(shown.slice(before.to, stretch.from));
    // Numbers of lists and signs of hyphenation are no words of the draft.
    const isOneStretch = between !== undefined && between <= piece.from - (last?.to ?? 0) + 4;
    if (isOneStretch && before !== undefined) before.to = stretch.to;
    else found.push(stretch);
    last = piece;
  };
  for (const piece of piecesOf(blocks)) search(piece);
  return found;
}

/** The sentences of a draft. A short one is searched for together with the next. */
function piecesOf(blocks: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const text of blocks.flatMap((block) => block.split(/\n|(?<=[.!?…])\s/u))) {
    const last = pieces.at(-1);
    const to = at + lettersOf(text);
    if (last !== undefined && last.to - last.from < least) {
      last.text += ` ${text}`;
      last.to = to;
    } else if (to > at) pieces.push({ text, from: at, to });
    at = to;
  }
  const [before, last] = pieces.slice(-2);
  if (before !== undefined && last !== undefined && last.to - last.from < least) {
    pieces.splice(-2, 2, { text: `${before.text} ${last.text}`, from: before.from, to: last.to });
  }
  return pieces;
}

/** Two halves of a piece, cut between words; none of what is too short to be cut. */
function halvesOf({ text, from, to }: Piece): Piece[] {
  if (to - from < 2 * least) return [];
  const space = text.indexOf(' ', text.length / 2);
  if (space < 0) return [];
  const middle = from + lettersOf(text.slice(0, space));
  const halves = [
    { text: text.slice(0, space), from, to: middle },
    { text: text.slice(space), from: middle, to },
  ];
  return halves.filter((half) => half.to - half.from >= least);
}

function lettersOf(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.join('').length ?? 0;
}
