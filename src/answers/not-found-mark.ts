/** Where a mark begins and ends in a text; a begun one ends with the text. */
export interface MarkRange {
  from: number;
  to: number;
}

/** What the model is told to reply when the knowledge does not hold the answer; Markdown takes the backslash off. */
const exact = /NOT\\?_FOUND/g;
/** As some write it. That these words stand in an answer, or a code of this name, says nothing: it must stand alone. */
const loose = /not(?:\\?_|[ -])?found/gi;
const begunExact = /N(?:O(?:T(?:\\?(?:_(?:F(?:O(?:UN?)?)?)?)?)?)?)?$/;
const begunLoose = /n(?:o(?:t(?:(?:\\?_|\\|[ -])?(?:f(?:o(?:un?)?)?)?)?)?)?$/i;

/** Signs that may stand around the mark, and that say nothing by themselves. */
const leadingSigns = /^[\s*_"'`#>(«“„]*/;
const trailingSigns = /[\s*_"'`#>(«“„]*$/;
const sentenceEnd = /^[*_"'`)»”]*\s*(?:$|[.!\n])/;

/** How many signs a text begins with. */
export function signsBefore(text: string): number {
  return leadingSigns.exec(text)?.[0].length ?? 0;
}

/**
 * The marks of "not found" in `text`, which stands behind `before`, in order. Unless it is `final`, what may become
 * one when more text follows is among them.
 */
export function findMarks(before: string, text: string, final: boolean): MarkRange[] {
  const marks = [...text.matchAll(exact)].map((match) => rangeOf(match));
  for (const match of text.matchAll(loose)) {
    const range = rangeOf(match);
    if (isAlone(before + text.slice(0, range.from), text.slice(range.to))) marks.push(range);
  }
  if (!final) {
    const begun = begunExact.exec(text);
    if (begun !== null) marks.push(rangeOf(begun));
    const other = begunLoose.exec(text);
    if (other !== null && beginsSentence(before + text.slice(0, other.index))) {
      marks.push(rangeOf(other));
    }
  }
  return marks.sort((one, other) => one.from - other.from);
}

function rangeOf({ index, 0: { length } }: RegExpExecArray): MarkRange {
  return { from: index, to: index + length };
}

/** Whether a whole sentence is made of it; at the beginning of a reply, whether no word goes on from it. */
function isAlone(before: string, behind: string): boolean {
  if (signsBefore(before) === before.length) return !/^[\p{L}\p{N}_]/u.test(behind);
  return beginsSentence(before) && sentenceEnd.test(behind);
}

function beginsSentence(before: string): boolean {
  const signs = trailingSigns.exec(before)?.[0] ?? '';
  const words = before.slice(0, before.length - signs.length);
  return words === '' || signs.includes('\n') || /[.!?]$/.test(words);
}
