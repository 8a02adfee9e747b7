import { columnKey, greatest, type Line } from '../layout/page.js';
import type { BodyStyle } from './body-style.js';
import { opensReference, referenceOf } from './lists.js';

const sentenceEnd = /[.!?:;。！？：；]["'”’»)\]]*$/;
/** A word or an enumeration goes on. */
const cutOff = /(?:\p{L}[-\u00ad\u2010]|,)$/u;
/** Inside brackets, no sign ends a sentence: "(also:". */
const openBracket = /\([^()]*$/;
/** True when the bracket of a list mark such as “1)” closes one in the line above: it is a word of the sentence. */
export function closesBracket(above: string, marker: string): boolean {
  return /^[^(]+\)$/.test(marker) && openBracket.test(above);
}

const startsLow = /^["'“‘«(]?[\p{Ll}\p{N}≤≥]/u;
/** Lines may be this many times farther apart than usual and still belong together. */
const looseness = 1.3;
/** The same where nothing else tells a paragraph from the next one. */
const tightness = 1.1;
/** The same for a line that reaches the right edge in the middle of a sentence: a tall letter or picture is between. */
const wideLooseness = 1.6;
/** A line of another type, such as an address, may have another main size in the middle of a sentence. */
const mostResized = 1.5;

/** True when the first word of `line` would have fitted on the previous line: that line then ended on purpose. */
function endedEarly(previous: Line, line: Line, right: number): boolean {
  const first = /^\S+/.exec(line.text)?.[0].length ?? 0;
  const letter = (line.right - line.x) / Math.max(1, line.text.length);
  return previous.right + (first + 2) * letter < right;
}

/** True when an unfinished sentence continues over a page or column break, and no new paragraph begins there. */
function continuesOver(lines: readonly Line[], previous: Line, line: Line): boolean {
  const right = greatest(lines, (each) => each.right);
  if (/[-\u00ad\u2010]$/.test(previous.text)) return true;
  if (openBracket.test(previous.text)) return true;
  if (sentenceEnd.test(previous.text)) return false;
  return startsLow.test(line.text) || (lines.length > 1 && !endedEarly(previous, line, right));
}

/**
 * True when a line follows a full, unfinished line at the distance of the same paragraph. Then monospaced type (an
 * address, or a command that fills its line) is no listing, and a number at the beginning is no list mark.
 * @param right the right edge of the running text in the line's column
 */
export function goesOnInSentence(
  lines: readonly Line[],
  line: Line,
  body: BodyStyle,
  right: number,
): boolean {
  const previous = lines.at(-1);
  if (previous === undefined || line.page !== previous.page || line.region !== previous.region) {
    return false;
  }
  const size = Math.max(line.size, previous.size);
  // Behind a comma, the sentence goes on for sure.
  const goesOn = cutOff.test(previous.text) && !isStatement(line.text);
  const loose = goesOn ? looseness : 1.12;
  const isNext = line.y - previous.y <= loose * body.leading * size && line.y > previous.y;
  const isOpen = !sentenceEnd.test(previous.text);
  const isFull = previous.right > right - 6 * size;
  // The first line of a paragraph may be indented.
  const shift = lines.length === 1 ? previous.x - line.x : 0;
  const isAligned = Math.abs(line.x - previous.x) < 0.5 * size || (shift > 0 && shift < 3 * size);
  return isNext && isOpen && isFull && isAligned;
}

/** Fewer characters are a term or a label, not a line of a sentence. */
const shortLine = 30;
/** A line of a sentence fills at least this share of its column, unless a picture is beside it. */
const leastWidth = 0.6;

/**
 * True when a line breaks off in the middle of a sentence and the next one goes on with a small letter. Then a change
 * of the indentation, beside a picture or behind a term, begins no paragraph, and neither does a change of type.
 */
function resumesSentence(
  lines: readonly Line[],
  previous: Line,
  line: Line,
  body: BodyStyle,
  edge: number,
): boolean {
  const isOpen = openBracket.test(previous.text);
  if (previous.text.length < shortLine || !(isOpen || isUnfinished(previous))) return false;
  if (!/^["'“‘«(]?\p{Ll}/u.test(line.text)) return false;
  if (!isOpen && isStatement(previous.text)) return false;
  if (!isOpen && entry.test(previous.text) && entry.test(line.text)) return false;
  const size = Math.max(line.size, previous.size);
  if (size > mostResized * Math.min(line.size, previous.size)) return false;
  const shift = line.x - previous.x;
  const isAligned = Math.abs(shift) < 0.5 * size;
  const isAlike = line.bold === previous.bold && line.italic === previous.italic;
  if (!isAligned && !isAlike) return false;
  const fillsColumn = previous.right > edge - size;
  const hangs = shift > 0.5 * size && !endedEarly(previous, line, edge);
  const loose = isAlike && (hangs || (isAligned && fillsColumn)) ? wideLooseness : looseness;
  const gap = line.y - previous.y;
  if (gap < 0.5 * size || gap > loose * body.leading * size) return false;
  const left = Math.min(line.x, previous.x);
  if (previous.right - left < leastWidth * (edge - left)) return false;
  if (line.right < previous.x && !fillsColumn) return false;
  // A definition is indented below its term. Beside a picture, the lines above show how wide the column is.
  if (shift > 0.5 * size) return hangs;
  const near = [...lines.slice(-3), line].reduce((most, each) => Math.max(most, each.right), 0);
  return !endedEarly(previous, line, near);
}

/** True for a few words alone on a line above `line`, their definition, which is indented. */
export function isTerm(term: Line, line: Line, edge: number): boolean {
  if (line.x <= term.x + 0.8 * term.size || term.segments.length > 1) return false;
  if (cutOff.test(term.text) || openBracket.test(term.text)) return false;
  // Longer ones may be the beginning of a sentence or of a command.
  if (term.text.length >= shortLine && !/^["'“‘«(]*[\p{Lu}\p{Lo}]/u.test(line.text)) return false;
  const isBrief = term.right - term.x < leastWidth * (edge - term.x);
  return isBrief && endedEarly(term, line, edge);
}

/** True for the next term of a list: at the left edge of the one above, below a definition of one line. */
export function endsDefinition(
  term: Line,
  [definition, ...others]: readonly Line[],
  line: Line,
  edge: number,
): boolean {
  if (definition === undefined || others.length > 0) return false;
  if (definition.segments.length > 1 || cutOff.test(definition.text)) return false;
  return Math.abs(line.x - term.x) < 0.5 * line.size && endedEarly(definition, line, edge);
}

/** True for the head of a definition with its kind in brackets at the right edge: "port [number]    [Command]", "(method)". */
function isDefinitionHead({ segments, right, size }: Line, edge: number): boolean {
  const kind = segments.at(-1)?.text.trim() ?? '';
  return (
    segments.length > 1 &&
    right > edge - size &&
    /^(?:\[\p{Lu}[\p{L} -]{2,40}\]|\(\p{Ll}{3,20}\))$/u.test(kind)
  );
}

/** In font sizes: the lines of a reference are at most so far apart. */
const referenceLeading = 2;

/**
 * True when `line` continues the paragraph or list item of `lines`. Depends on the gap above it, its size and
 * indentation, and on whether the previous line was full.
 * @param edge the right edge of the running text in the line's column
 */
export function continuesParagraph(
  lines: readonly Line[],
  line: Line,
  body: BodyStyle,
  inItem: boolean,
  edge: number,
): boolean {
  const [first] = lines;
  const previous = lines.at(-1);
  if (first === undefined || previous === undefined) return false;
  const isBelow = line.page === previous.page && line.region === previous.region;
  const reference = referenceOf(first);
  if (referenceOf(line) === reference + 1) return false;
  if (opensReference(line) && (opensReference(first) || !isUnfinished(previous))) return false;
  const isBehindMark = line.x > first.x + 0.8 * line.size && line.y > previous.y;
  if (
    (!Number.isNaN(reference) || opensReference(first)) &&
    isBelow &&
    isBehindMark &&
    !line.bold
  ) {
    return line.y - previous.y < referenceLeading * line.size;
  }
  if (isName(previous.text) && isName(line.text)) return false;
  if (isDefinitionHead(previous, edge) || isDefinitionHead(line, edge)) return false;
  if (isLabelled(first) && isLabelled(line)) return false;
  if (isBelow && resumesSentence(lines, previous, line, body, edge)) return true;
  if (isBelow && lines.length === 1 && isUnderText(first, line, body)) return true;
  const size = Math.max(line.size, previous.size);
  if (size > 1.12 * Math.min(line.size, previous.size)) return false;
  if (!isBelow) {
    const areEntries = entry.test(first.text) && entry.test(line.text);
    // Bold words at the top of a column are a head, unless the sentence goes on in them.
    const isHead = line.bold && !previous.bold && !startsLow.test(line.text);
    return !areEntries && !isHead && continuesOver(lines, previous, line);
  }
  const gap = line.y - previous.y;
  if (gap > looseness * body.leading * size || gap < -0.5 * size) return false;
  if (isCentredRest(previous, line, edge)) return true;
  const shift = line.x - previous.x;
  const indented = shift > 0.8 * size;
  const right = greatest([line, ...lines], (each) => each.right);
  const restyled = line.bold !== previous.bold || line.italic !== previous.italic;
  const isTitle = previous.bold && !line.bold && lines.length === 1;
  if (isTitle && !inItem && endedEarly(previous, line, edge)) return false;
  // A term above its definition, or a label above its text.
  if ((restyled || indented) && endedEarly(previous, line, right) && !inItem) return false;
  if (indented && !inItem && lines.length === 1 && isTerm(previous, line, edge)) return false;
  if (inItem) {
    // The text below a list is indented differently, or stands apart.
    const left = lines[1]?.x ?? first.segments[1]?.x;
    const isOther =
      left === undefined ? line.x > first.x + 2.5 * size : Math.abs(line.x - left) > 0.5 * size;
    const isApart = isOther || gap > 1.15 * body.leading * size;
    if (isApart && sentenceEnd.test(previous.text) && endedEarly(previous, line, edge))
      return false;
    // An item's text is indented behind its mark. A line at the mark's left edge is outside the item.
    return line.x > first.x + 0.3 * size || !sentenceEnd.test(previous.text);
  }
  if (standsAlone(first, previous, line, right)) return false;
  if (indented && (lines.length > 1 || sentenceEnd.test(previous.text))) return false;
  if (shift < -0.8 * size && lines.length > 1) return false;
  if (!sentenceEnd.test(previous.text) || startsLow.test(line.text)) return true;
  // In a list without marks, each line is a short sentence.
  const isShort = lines.length === 1 && previous.right - line.x < leastWidth * (edge - line.x);
  return !isShort && !endedEarly(previous, line, right);
}

/** True for the first line of an entry that begins with a bold name and hangs out, below a full sentence. */
export function opensHanging(
  above: Line,
  line: Line,
  next: Line | undefined,
  edge: number,
): boolean {
  if (next === undefined || line.lead?.bold !== true || line.bold || isUnfinished(above))
    return false;
  const isBelow = columnKey(next) === columnKey(line) && next.y > line.y;
  return isBelow && next.x > line.x + 0.8 * line.size && !endedEarly(line, next, edge);
}

/** In characters: above what is left of a centred paragraph. Lines with names and addresses are shorter. */
const leastCentred = 60;

/** True for what is left of a centred paragraph, below a full line that ends no sentence. */
function isCentredRest(previous: Line, line: Line, edge: number): boolean {
  const isCentred = Math.abs(previous.x + previous.right - line.x - line.right) < 1;
  const isAlike = line.bold === previous.bold && line.italic === previous.italic;
  const isFull = previous.right > edge - previous.size && line.x > previous.x + line.size;
  return (
    previous.text.length > leastCentred && isCentred && isAlike && isFull && isUnfinished(previous)
  );
}

/** True when a full line stops in the middle of a sentence that `line` goes on with, below a figure and its caption. */
export function goesOnBelowFigure(previous: Line, line: Line): boolean {
  if (Math.abs(previous.size - line.size) > 0.12 * line.size || previous.text.length < 30)
    return false;
  if (/\p{L}[-\u00ad\u2010]$/u.test(previous.text)) return true;
  const isFull = previous.right - previous.x > 0.8 * (line.right - line.x);
  return isFull && isUnfinished(previous) && /^["'“‘«(]*\p{Ll}/u.test(line.text);
}

/** True for a line that goes on with what stands beside a name in the first line, at the same edge: "-o  Writes". */
function isUnderText(first: Line, line: Line, body: BodyStyle): boolean {
  const gap = line.y - first.y;
  if (gap <= 0 || gap > tightness * body.leading * line.size) return false;
  if (line.x < first.x + 0.8 * line.size || Math.abs(line.size - first.size) > 0.5) return false;
  // A row of a table has cells of its own.
  if (line.segments.length > 1 || line.segments[0]?.gaps !== undefined) return false;
  const edges = first.segments.flatMap(({ x, gaps = [] }) => [x, ...gaps.map(({ to }) => to)]);
  return edges.some((x) => x > first.x + 0.8 * first.size && Math.abs(x - line.x) < 1);
}

export function isUnfinished(line: Line): boolean {
  return !sentenceEnd.test(line.text);
}

/** True for the first line of a paragraph below a list item. Its next line begins left of the item's mark. */
export function isBelowItem(
  lines: readonly Line[],
  line: Line,
  next: Line | undefined,
  edge: number,
): boolean {
  const [first] = lines;
  const previous = lines.at(-1);
  if (first === undefined || previous === undefined || next === undefined) return false;
  const isOutside = next.x < first.x - 0.3 * line.size && line.y - previous.y > 0;
  const isAlike = columnKey(next) === columnKey(line) && columnKey(line) === columnKey(first);
  const isNext = next.y - line.y < 1.5 * line.size && next.y > line.y;
  return isOutside && isAlike && isNext && endedEarly(previous, line, edge);
}

/** True for a line of a list of names, as in credits: a few words with capitals. A sentence has other words, too. */
function isName(text: string): boolean {
  return text.length < shortLine && /^\p{Lu}\p{Ll}+(?:[ -]\p{Lu}\p{L}*\.?){1,3}$/u.test(text);
}

/** A word or a few, a dash, and what they mean. */
const entry = /^\S{1,40}(?: \S{1,40}){0,2} [–—-] \S/u;

/** True for a line that begins with a name in another type and a colon, as each entry of such a list does. */
function isLabelled({ lead }: Line): boolean {
  return lead !== undefined && /^\S{2,40}[:：]$/.test(lead.text);
}

/** True for a line and the next one that both begin with a key or a command in the same type: "q quits". */
export function isKey([line, ...others]: readonly Line[], next: Line): boolean {
  if (line?.lead === undefined || next.lead === undefined || others.length > 0) return false;
  const isBelow = columnKey(line) === columnKey(next) && next.y > line.y;
  const isAlike = line.lead.bold === next.lead.bold && Math.abs(line.x - next.x) < 1;
  const isBrief = ({ text }: { text: string }) => text.length <= longestKey && !/[.:;]$/.test(text);
  return isBelow && isAlike && isBrief(line.lead) && isBrief(next.lead);
}

/** True for the first entry of a list of keys: it ends a sentence, or far from the edge of its column. */
export function endsKey([line]: readonly Line[], next: Line, edge: number): boolean {
  if (line === undefined || !endedEarly(line, next, edge)) return false;
  return /[.!?)]$/.test(line.text) || line.right - line.x < longestEntry * (edge - line.x);
}

/** Of the width of its column. */
const longestEntry = 0.75;
/** In characters. */
const longestKey = 16;

/** True between statements of a program in proportional type, and between entries such as “run – starts it”. */
function standsAlone(first: Line, previous: Line, line: Line, right: number): boolean {
  if (entry.test(first.text) && entry.test(line.text)) return true;
  return (
    isStatement(previous.text) && (isStatement(line.text) || endedEarly(previous, line, right))
  );
}

function isStatement(text: string): boolean {
  return /[;{}](?:\s*\/\/.*)?$/.test(text) || /^[{}]/.test(text);
}
