import type { TextRun } from './page.js';

const powers: Record<string, string> = {
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
const noteMark = /^\d{1,3}$/;
const power = /^[-−+]?[\dn]{1,3}$/;
/** After these a mark is no power: a word, or the punctuation after one. */
const afterWord =
  /(?:\p{L}{2}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[.,;:!?…)\]"'”’»“。，、）》」])$/u;
const unit = /(?:^|[\d\s/(·])(?:[kcdmnµμ]?m|sec|ft|in|mi)$/u;

/** An argument, not a remark: "f(x)". */
const argument = /\([^\s()]{1,3}\)$/u;

/** Whether a run is set smaller and higher than the line it stands in. */
export function isRaised(run: TextRun, size: number, baseline: number): boolean {
  return run.size < 0.85 * size && baseline - run.y > 0.15 * size;
}

/**
 * Raised text as one writes it where nothing can be raised: a number after a word is the mark of a footnote, `[^2]`, and
 * after a digit, a unit or a single letter it is a power, `²`. Everything else stays as it is.
 * @param before the line's text up to the raised one
 */
export function writeRaised(text: string, before: string): string {
  const left = before.trimEnd();
  const isUnit = unit.test(left) && /^[-−]?[23]$/.test(text);
  if (noteMark.test(text) && afterWord.test(left) && !isUnit && !argument.test(left))
    return `[^${text}]`;
  if (!power.test(text) || left === '' || !/[\p{L}\p{N})\]]$/u.test(left)) return text;
  return Array.from(text, (char) => powers[char] ?? char).join('');
}
