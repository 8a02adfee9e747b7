import type { Segment, TextRun } from './page.js';
/** In ems; narrower spaces are kerning. */
const wordGap = 0.14;
/** In ems; wider gaps separate cells. */
const cellGap = 1;
/** In ems; narrower ones are within a cell. */
const leastCellGap = 0.55;
/** From this many single letters on, their usual distance shows which gaps separate words. */
const fewLetters = 4;

function gapBefore(runs: readonly TextRun[], at: number): number {
  const run = runs[at];
  const previous = runs[at - 1];
  if (run === undefined || previous === undefined) return 0;
  return run.x - previous.x - previous.width;
}

const isLetter = (run: TextRun | undefined) =>
  run?.text.length === 1 && /[\p{L}\p{N}]/u.test(run.text);

/** The usual distance, in ems, between letters that are drawn one by one. Words are farther apart. */
function letterSpacing(runs: readonly TextRun[]): number {
  if (runs.length < fewLetters) return 0;
  const gaps: number[] = [];
  for (let at = 1; at < runs.length; at++) {
    const run = runs[at];
    // Signs of a formula are apart, too.
    if (run !== undefined && !run.spaced && isLetter(run) && isLetter(runs[at - 1])) {
      gaps.push(gapBefore(runs, at) / run.size);
    }
  }
  if (gaps.length < fewLetters - 1 || gaps.length < 0.6 * (runs.length - 1)) return 0;
  gaps.sort((a, b) => a - b);
  return Math.max(0, gaps[Math.floor(gaps.length * 0.4)] ?? 0);
}

/** In ems: TeX's space behind the comma of a formula is narrower. */
const decimalGap = 0.2;

/** True within a decimal number that TeX sets as a formula: "5", ",", "1". In a list, other numbers are around it. */
function isDecimal(runs: readonly TextRun[], at: number): boolean {
  const [before, comma, run] = [runs[at - 2], runs[at - 1], runs[at]];
  if (comma?.text !== ',' || before === undefined || run === undefined || run.spaced) return false;
  if (!/^\d/.test(run.text) || !/(?:^|[^\d([{,.])\d+$/.test(before.text)) return false;
  const isListed =
    /[,([{−-]$/.test(runs[at - 3]?.text ?? '') || /^[,…]/.test(runs[at + 1]?.text ?? '');
  return !isListed && gapBefore(runs, at) < decimalGap * run.size;
}

/** In ems: the gap behind a capital that leans over it, as TeX sets it in formulas. Spaces are wider. */
const leaningGap = 0.24;
const leaning = /(?:^|[^\p{L}])[FPTVWY]$/u;

/** True where a gap in italics is none between words: "V" and "alue", "F" and "(x)". */
export function isLeaning(before: string, next: string, gap: number): boolean {
  return gap < leaningGap && leaning.test(before) && /^[\p{L}([,)\]]/u.test(next);
}

/** Monospaced text keeps its columns: a gap becomes as many spaces as characters fit into it. */
function spacesBetween(gap: number, previous: TextRun, run: TextRun, spacing: number): string {
  const size = Math.min(previous.size, run.size);
  if (previous.italic && !run.spaced && isLeaning(previous.text, run.text, gap / size)) return '';
  const least = (wordGap + 1.4 * spacing) * size;
  const apart = gap > least || (run.spaced && spacing < wordGap);
  if (previous.mono && run.mono) {
    const advance = previous.width / Math.max(1, previous.text.length);
    return ' '.repeat(Math.max(apart ? 1 : 0, Math.round(gap / Math.max(1, advance))));
  }
  return apart ? ' ' : '';
}

/** In ems; a wider space before a full stop is meant. */
const widestStray = 0.6;

const isPlain = (run: TextRun) => !run.mono && !run.bold && !run.italic;

/**
 * True for the sign that ends or divides a sentence, behind a word in another type. There, no gap is a space. The point
 * of ".conf" belongs to the word behind it.
 */
function isStray(runs: readonly TextRun[], at: number): boolean {
  const [previous, run] = [runs[at - 1], runs[at]];
  if (previous === undefined || run === undefined || isPlain(previous) || !isPlain(run))
    return false;
  if (gapBefore(runs, at) > widestStray * run.size || !/^[.,](?:\s[^.,]|\s?$)/.test(run.text)) {
    return false;
  }
  return (
    run.text.length > 1 || at === runs.length - 1 || gapBefore(runs, at + 1) > wordGap * run.size
  );
}

function written(run: TextRun, before: string, size: number, baseline: number): string {
  return isRaised(run, size, baseline) ? writeRaised(run.text, before) : run.text;
}

/** Joins runs in reading order into the segments that wide gaps separate. */
export function joinRuns(
  runs: readonly TextRun[],
  size: number,
  baseline: number,
  mono: boolean,
): Segment[] {
  const segments: Segment[] = [];
  const spacing = mono ? 0 : letterSpacing(runs);
  let last: Segment | undefined;
  let previous: TextRun | undefined;
  for (const [at, run] of runs.entries()) {
    const gap = previous === undefined ? 0 : run.x - previous.x - previous.width;
    if (
      previous === undefined ||
      last === undefined ||
      gap > (cellGap + spacing) * Math.max(previous.size, run.size)
    ) {
      const text = segments.length === 0 ? written(run, '', size, baseline) : run.text;
      last = { text, x: run.x, right: run.x + run.width };
      segments.push(last);
    } else {
      const text = written(run, last.text, size, baseline);
      const isMark = text.startsWith('[^');
      const space =
        isMark ||
        last.text.endsWith(' ') ||
        text.startsWith(' ') ||
        isStray(runs, at) ||
        isDecimal(runs, at)
          ? ''
          : spacesBetween(gap, previous, run, spacing);
      last.text = (isMark ? last.text.trimEnd() : last.text) + space + text;
      if (!mono && !isMark && gap > leastCellGap * run.size) {
        const index = last.text.length - text.length;
        last.gaps ??= [];
        last.gaps.push({ index, from: last.right, to: run.x });
      }
      last.right = Math.max(last.right, run.x + run.width);
    }
    previous = run;
  }
  return segments;
}

/** The text of a whole line. Monospaced text gets as many spaces as its gaps are wide. */
export function plainText(runs: readonly TextRun[], size: number, baseline: number): string {
  let text = '';
  let previous: TextRun | undefined;
  const spacing = letterSpacing(runs);
  for (const run of runs) {
    if (previous !== undefined) {
      text += spacesBetween(
        run.x - previous.x - previous.width,
        previous,
        run,
        previous.mono ? 0 : spacing,
      );
    }
    text += run.mono ? run.text : written(run, text, size, baseline);
    previous = run;
  }
  return text;
}

const powers: Readonly<Record<string, string>> = {
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
  '+': '⁺',
  '-': '⁻',
  '−': '⁻',
  n: 'ⁿ',
};
const authorMarks: Readonly<Record<string, string>> = {
  ...powers,
  a: 'ᵃ',
  b: 'ᵇ',
  c: 'ᶜ',
  d: 'ᵈ',
  e: 'ᵉ',
  f: 'ᶠ',
  g: 'ᵍ',
  h: 'ʰ',
  '∗': '*',
  ')': '⁾',
};
/** Digits and signs as small raised characters: ². */
export function writePower(text: string): string {
  return Array.from(text, (char) => powers[char] ?? char).join('');
}

const noteMark = /^\d{1,3}$/;
const power = /^[-−+]?[\dn]{1,3}$/;
/** Signs of footnotes. */
const noteSign = /^[*∗†‡§¶]{1,4}$/u;
/** Marks that lead from an author to an institution: “a”, “a)”, “a,b”, “1,*”. */
const authorMark = /^(?:[a-h]\)?|[a-h\d*∗†‡§¶]+(?:,\s?[a-h\d*∗†‡§¶]+)+)$/u;
const name = /\p{Lu}[\p{L}\p{M}.'’-]{2,}$/u;
/** After these, a raised mark is not a power: a word, or punctuation after a word. */
const afterWord =
  /(?:\p{L}{2}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[.,;:!?…)\]"'”’»“。，、）》」])$/u;
const unit = /(?:^|[\d\s/(·])(?:[kcdmnµμ]?m|sec|ft|in|mi)$/u;

/** An argument, not a remark: "f(x)". */
const argument = /\([^\s()]{1,3}\)$/u;

/** True when a run is smaller and higher than its line. */
function isRaised(run: TextRun, size: number, baseline: number): boolean {
  return run.size < 0.85 * size && baseline - run.y > 0.15 * size;
}

/**
 * Writes raised text in plain characters. A number or a sign after a word is a footnote mark, `[^2]`, `[^*]`; after a
 * digit, a unit or a single letter a number is a power, `²`. The mark of an author stands apart from the name. All else
 * stays unchanged.
 * @param before the line's text up to the raised text
 */
function writeRaised(text: string, before: string): string {
  const left = before.trimEnd();
  const isUnit = unit.test(left) && /^[-−]?[23]$/.test(text);
  if (noteMark.test(text) && afterWord.test(left) && !isUnit && !argument.test(left))
    return `[^${text}]`;
  if (noteSign.test(text) && afterWord.test(left)) return `[^${text.replaceAll('∗', '*')}]`;
  if (authorMark.test(text)) {
    const mark = Array.from(text, (char) => authorMarks[char] ?? char).join('');
    if (name.test(left)) return ` ${mark}`;
    if (/(?:^|[;,]|\D\.)$/.test(left) && /^[a-h]/.test(text)) return `${mark} `;
  }
  if (!power.test(text) || left === '' || !/[\p{L}\p{N})\]]$/u.test(left)) return text;
  return writePower(text);
}
