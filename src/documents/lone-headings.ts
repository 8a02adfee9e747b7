import { heading, indentOf, underline, type LineReader, type Rule } from './line-reader.js';
import { isTerm } from './text-blocks.js';
import { date, depthOf, isCapital } from './text-headings.js';
import type { Element } from './tree.js';

const numberedHeading =
  /^((?:\d{1,2}\.)*\d{1,2}\.?|[A-Z](?:\.\d{1,2}){1,4}\.?|[IVX]{1,5}\.|(?:Chapter|Part|Section|Appendix|Kapitel|Teil|Abschnitt|Anhang|Capítulo|Parte|Sección|Apéndice)\s+(?:\d+|[A-Z]|[IVX]{1,5})[.:]?)\s+(\p{Lu}.*)$/u;
const compoundHeading = /^(\d{1,2}(?:\.\d{1,2}){1,4}\.?)\s+(\S.*)$/;
/** `2) What is it?`, which may be a heading or an item. */
const step = /^\d{1,2}[.)]\s+\p{Lu}.{2,150}$/u;
/** In characters: a longer line is no heading above the text below it. */
const longestAbove = 60;

/** Which lines are headings in a text. */
export interface LoneHeadings {
  /** Lines in capitals: not where numbers are, there they are terms. */
  capitals: boolean;
  /** Numbered lines: not where those have lines of signs below them. */
  numbers: boolean;
  /** Also those that could be items: where text follows them that is not indented. */
  steps: boolean;
  /** Short lines in sentences' letters: where nothing else is a heading. */
  words: boolean;
  /** Lines in capitals that the text has several times are labels. */
  labels: ReadonlySet<string>;
}

/** A numbered line, or one in capitals, that stands alone between empty lines and ends no sentence. */
export function loneHeading({ capitals, labels, numbers, steps, words }: LoneHeadings): Rule {
  const ranked = (reader: LineReader, line: string, title: string): Element | undefined => {
    // In lower case, it may be a command.
    const [, signs, hashed = ''] =
      (reader.out.length === 0
        ? /^(#{1,4})\s+(\p{L}.*?)[\s#]*$/u
        : /^(#{1,4})\s+(\p{Lu}[^=|/;]*?)[\s#]*$/u
      ).exec(line) ?? [];
    if (signs !== undefined) return heading(reader.words(hashed), '#', signs.length);
    const isStepHere = steps && isStep(reader.lines, reader.place);
    if ((numbers && isNumbered(line)) || isStepHere)
      return heading(reader.words(title), '1', depthOf(line));
    if (capitals && isCapital(line) && !labels.has(line) && !isTerm(reader))
      return heading(reader.words(title), 'A', 1);
    return words && isTitle(reader.lines, reader.place) ? heading(line, 'a', 1) : undefined;
  };
  return (reader) => {
    const line = reader.line();
    if (line.startsWith(' ') || reader.line(-1) !== '') return undefined;
    if (date.test(line)) return undefined;
    const isMarked = isNumbered(line) || step.test(line);
    const end = isMarked ? /[.,;!]$/ : /[.,;:!]$/;
    if (line.length > 80 || end.test(line)) return undefined;
    // A step announces what is indented below it.
    const isStepAbove = line.endsWith(':') && indentOf(reader.line(reader.nextText)) >= 2;
    if (isStepAbove) return undefined;
    const title = isMarked ? line.replace(/\s*:$/, '') : line;
    const found = isAlone(reader) || isAbove(reader) ? ranked(reader, line, title) : undefined;
    if (found !== undefined) reader.skip();
    return found && [found];
  };
}

/** Looks which lines are headings in this text. */
export function loneHeadings(lines: readonly string[]): LoneHeadings {
  const numbered = lines.filter(
    (line, at) => compoundHeading.test(line) && lines[at - 1] === '' && isNumbered(line),
  );
  const alone = lines.filter(
    (line, at) =>
      lines[at - 1] === '' && lines[at + 1] === '' && isNumbered(line) && !/[.,;]$/.test(line),
  );
  const isUnder = (at: number) => underline.test(lines[at + 1] ?? '');
  const underlined = lines.filter((line, at) => /\p{L}/u.test(line) && isUnder(at));
  const capital = lines.filter(
    (line, at) => isCapital(line) && !line.startsWith(' ') && (lines[at - 1] ?? '') === '',
  );
  const seen = new Set<string>();
  const labels = new Set(capital.filter((line) => seen.has(line) || !seen.add(line)));
  const titles = lines.filter((_, at) => isTitle(lines, at));
  return {
    labels,
    steps: lines.filter((_, at) => isStep(lines, at)).length >= 3,
    capitals: numbered.filter((line) => !line.endsWith('.')).length < 3,
    numbers: underlined.filter((line) => /^\d{1,2}[.\s]/.test(line)).length < 2,
    words: titles.length >= 3 && alone.length + underlined.length + capital.length < 3,
  };
}

/** True for a numbered line alone above a text that is not indented and no item. */
function isStep(lines: readonly string[], at: number): boolean {
  if (!step.test(lines[at] ?? '') || (lines[at - 1] ?? '') !== '' || lines[at + 1] !== '')
    return false;
  const next = lines.slice(at + 2, at + 5).find((line) => line !== '') ?? '';
  return /^["“'(]?\p{L}\S*\s/u.test(next);
}

function isNumbered(line: string): boolean {
  return compoundHeading.test(line) || (!line.endsWith('?') && numberedHeading.test(line));
}

function isAlone(reader: LineReader): boolean {
  // The last line of a text is the heading of nothing.
  return reader.line(1) === '' && reader.line(reader.nextText) !== '';
}

/** True for a line in capitals directly above a text that is in none. */
function isAbove(reader: LineReader): boolean {
  const [line, below] = [reader.line(), reader.line(1)];
  const letters = line.match(/\p{L}/gu)?.length ?? 0;
  const isShort = line.length <= longestAbove && letters >= 0.7 * line.length && letters >= 5;
  const isText =
    /^(?: {0,4}[-*•+o] +)?[\p{L}"“(]/u.test(below) &&
    /\p{Ll}{2}/u.test(below) &&
    !/\S {3}|:\S|=/.test(below);
  return isShort && isCapital(line) && isText && /^[\p{L}\d][^_/]*$/u.test(line);
}

/** True for a short line between empty ones above a paragraph, that ends no sentence. */
function isTitle(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (lines[at - 1] !== '' || lines[at + 1] !== '') return false;
  if (!/^\p{Lu}\p{L}*(?: [^{}<>=;$|\\@]*)?[\p{L}\d)?]$/u.test(line) || line.length > longestAbove)
    return false;
  if (/^Copyright\b/.test(line)) return false;
  let below = at + 2;
  while (lines[below] === '') below++;
  let above = at - 2;
  while (lines[above] === '') above--;
  const next = lines[below] ?? '';
  return next.length > longestAbove && indentOf(next) < 4 && !/:$/.test(lines[above] ?? '');
}
