import { allMatches } from '../platform/text/all-matches.js';
import { foldCase } from './fold.js';

/**
 * A word of a text. `start` and `end` are offsets into the original, in UTF-16 units; `text` is in NFKC and lower case.
 * `kind`: a `word`; a `whole` such as `foo.bar`, `--dry-run` or `c++`, followed by its parts as separate tokens; a
 * `bigram` of a script without spaces.
 */
export interface Token {
  text: string;
  start: number;
  end: number;
  kind: 'word' | 'whole' | 'bigram';
}

const spaceless = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー';
/** Markdown may protect an underscore by a backslash. */
const letter = `(?:[[\\p{L}\\p{N}\\p{M}_\\u00ad\\u200b-\\u200d]--[${spaceless}]]|\\\\_)`;
/**
 * Runs of a script without spaces, or words joined by single dots and hyphens, with the signs of options and language
 * names. Joins are bounded, and adjacent parts of the pattern never match the same character, so the time is linear in
 * any text.
 */
const pattern = `([${spaceless}]+)|((?<![\\p{L}\\p{N}])(?:--?|\\.))?(${letter}+(?:[.\\-‐‑]${letter}+){0,8})(\\+\\+|#)?`;
let compiled: RegExp | undefined;
const joins = /[._\-‐‑]/;

/** All words of a text, in order. The parts of a compound follow it. */
export function tokenize(text: string): Token[] {
  compiled ??= new RegExp(pattern, 'gv');
  const tokens: Token[] = [];
  for (const match of allMatches(text, compiled)) {
    const [found, run, prefix = '', marked = '', suffix = ''] = match;
    if (run !== undefined) {
      pushBigrams(tokens, run, match.index);
      continue;
    }
    const body = withoutMark(marked);
    const whole = body === marked ? found : prefix + body;
    pushWords(tokens, whole, body, match.index, prefix, suffix);
  }
  return tokens;
}

/** Three letters before it, because a unit has a power: "cm³". */
const noteMark = /(?<=\p{L}{3})[¹²³⁰⁴-⁹]+$/u;

/** A word without the mark of its footnote: "Welt" of "Welt³". */
function withoutMark(body: string): string {
  // A fast path: hardly any word ends so.
  return body.charCodeAt(body.length - 1) < 0xb2 ? body : body.replace(noteMark, '');
}

function pushWords(
  tokens: Token[],
  whole: string,
  body: string,
  start: number,
  prefix: string,
  suffix: string,
): void {
  // A fast path: most words are this plain, and the code below takes three times as long.
  if (prefix === '' && suffix === '' && !joins.test(body)) {
    tokens.push({ text: foldCase(body), start, end: start + body.length, kind: 'word' });
    return;
  }
  // The parts of a number are not words: 3.5 is not 3 and 5, and v2.1 neither.
  if (body.includes('.') && /^v?[\p{N}.]+$/iu.test(body)) {
    const from = start + prefix.length;
    tokens.push({ text: foldCase(body), start: from, end: from + body.length, kind: 'whole' });
    return;
  }
  const parts = partsOf(body, start + prefix.length);
  if (parts.length === 0) return;
  // The dot or hyphen before a number is a sign or a list mark, not a part of its name.
  const marked = suffix !== '' || (prefix !== '' && /^\p{L}/u.test(body));
  if (marked || body.length !== (parts[0]?.text.length ?? 0)) {
    const text = foldCase(whole.replaceAll('\\_', '_'));
    tokens.push({ text, start, end: start + whole.length, kind: 'whole' });
  }
  for (const part of parts) {
    tokens.push({
      ...part,
      text: foldCase(part.text),
      end: part.start + part.text.length,
      kind: 'word',
    });
  }
}

/** The words between dots, hyphens and underscores, which may be protected. */
function partsOf(body: string, start: number): { text: string; start: number }[] {
  return allMatches(body, /[^._\-‐‑\\]+/g).map((match) => ({
    text: match[0],
    start: start + match.index,
  }));
}

function pushBigrams(tokens: Token[], run: string, start: number): void {
  const characters = Array.from(run);
  let at = start;
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1];
    // The last character has no bigram of its own, unless it is alone.
    if (next === undefined && index > 0) return;
    const pair = character + (next ?? '');
    tokens.push({ text: foldCase(pair), start: at, end: at + pair.length, kind: 'bigram' });
    at += character.length;
  }
}
