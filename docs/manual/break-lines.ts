import type { FontName, TextStyle } from './page-style.js';
import type { Run } from './read-manual.js';

/** The width of a text in points. */
export type Measure = (text: string, font: FontName, size: number) => number;

/** A piece of a line in one font, at `x` from the line's start. Spaces are part of the text. */
export interface Span {
  text: string;
  font: FontName;
  x: number;
}

interface Word {
  parts: { text: string; font: FontName }[];
  width: number;
}

/**
 * Breaks runs into lines of at most `width`, at spaces only: a line that ended in a hyphen could be joined
 * to the next one by whoever extracts the text. Throws when a single word is wider than the line.
 */
export function breakLines(
  runs: Run[],
  style: TextStyle,
  width: number,
  measure: Measure,
): Span[][] {
  const lines: Word[][] = [];
  let used = 0;
  for (const word of wordsOf(runs, style, measure)) {
    if (word.width > width) {
      throw new Error(
        `"${word.parts.map((part) => part.text).join('')}" is wider than its column.`,
      );
    }
    const line = lines.at(-1);
    const needed = measure(' ', gapFont(line?.at(-1), word, style), style.size) + word.width;
    if (line !== undefined && used + needed <= width) {
      line.push(word);
      used += needed;
    } else {
      lines.push([word]);
      used = word.width;
    }
  }
  return lines.map((line) => spansOf(line, style, measure));
}

/** The widths that a column of a table is made of: of its longest word, and of its text in one line. */
export function widthsOf(
  runs: Run[],
  style: TextStyle,
  measure: Measure,
): { word: number; line: number } {
  const words = wordsOf(runs, style, measure);
  const gaps = words.map((word, index) => {
    return index === 0 ? 0 : measure(' ', gapFont(words[index - 1], word, style), style.size);
  });
  return {
    word: Math.max(0, ...words.map((word) => word.width)),
    line: words.reduce((sum, word, index) => sum + word.width + (gaps[index] ?? 0), 0),
  };
}

/** A word may change its font inside: a name in Courier with a comma after it. */
function wordsOf(runs: Run[], style: TextStyle, measure: Measure): Word[] {
  const words: Word[] = [];
  let atStart = true;
  for (const run of runs) {
    const font = style.fonts[run.style];
    for (const text of run.text.split(/( )/)) {
      if (text === ' ') atStart = true;
      if (text === ' ' || text === '') continue;
      const last = words.at(-1);
      const word = atStart || last === undefined ? { parts: [], width: 0 } : last;
      if (word !== last) words.push(word);
      word.parts.push({ text, font });
      word.width += measure(text, font, style.size);
      atStart = false;
    }
  }
  return words;
}

/** Inside a command the space is as wide as its letters; between a name and the text it is the text's. */
function gapFont(before: Word | undefined, after: Word, style: TextStyle): FontName {
  const [left, right] = [before?.parts.at(-1)?.font, after.parts[0]?.font];
  return left !== undefined && left === right ? left : style.fonts.text;
}

function spansOf(words: Word[], style: TextStyle, measure: Measure): Span[] {
  const spans: Span[] = [];
  let x = 0;
  const add = (text: string, font: FontName): void => {
    const last = spans.at(-1);
    if (last?.font === font) {
      last.text += text;
      x = last.x + measure(last.text, font, style.size);
    } else {
      spans.push({ text, font, x });
      x += measure(text, font, style.size);
    }
  };
  for (const [index, word] of words.entries()) {
    if (index > 0) add(' ', gapFont(words[index - 1], word, style));
    for (const part of word.parts) add(part.text, part.font);
  }
  return spans;
}
