import { withoutEscapes } from '../../platform/text/escape-markdown.js';
import type { Block } from './block.js';
import { isCaptionText } from './captions.js';
import { hasWords, stripNumber } from './titles.js';

/** A name is cut at a word if it is longer, in characters. */
const longest = 60;
/** Shorter ones say little ("See also", "Example 1") and are used only if there is nothing else, in characters. */
const shortest = 12;
const sentenceEnd = /[.!?](?=\s+["“„«(]?[\p{Lu}\p{N}])|[。！？；]|:(?=\s|$)/u;
/** Marks of lists, footnotes and Markdown. */
const marks = /^\s*(?:[-*•–—]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+|\[\^[^\]\s]{1,8}\]|[*`|]/gu;

/** A footnote in the type of the text: "1 Not all models have it". */
const note = /^\d{1,3} +(?=.*\p{Ll}{3})\p{L}(?:\S* +\S+){4}/u;

/** A line of a program's output: "12FC6B34000000A9 TAI8570", "GHT=23.75 °C". */
function isOutput(name: string): boolean {
  const parts = name.split(' ');
  const figures = parts.filter((part) => /\d/.test(part)).length;
  return figures > 0.5 * parts.length || /^\S+=\S*\d/.test(name);
}

/** The first sentence of a text, shortened at a word. */
function firstSentence(text: string): string {
  const plain = withoutEscapes(text.slice(0, 400)).replace(marks, '').trim();
  // The words of a caption come after its number: "Table 3: List of loads".
  const start = isCaptionText(plain) ? (/^\S+ \S+[.:] /.exec(plain)?.[0].length ?? 0) : 0;
  const length = sentenceEnd.exec(plain.slice(start))?.index;
  const end = length === undefined ? plain.length : start + length;
  const sentence = plain.slice(0, end).replace(/[\s.,;:–—-]+$/u, '');
  if (sentence.length <= longest) return sentence;
  const window = sentence.slice(0, longest);
  const space = window.lastIndexOf(' ');
  const words = space > 0.5 * longest ? window.slice(0, space) : window;
  return `${words.replace(/[\s.,;:(–—-]+$/u, '')}…`;
}

/**
 * A name for a part of a long section: the heading that it begins with, else its first sentence. Undefined if it has
 * only code, tables, notes and a program's output.
 */
export function nameOfPart(blocks: readonly Block[]): string | undefined {
  const [first] = blocks;
  if (first?.kind === 'heading')
    return stripNumber(withoutEscapes(first.text.replace(/^#+ /, '')), false);
  const names = blocks
    .filter(({ kind, text }) => kind === 'item' || (kind === 'paragraph' && !note.test(text)))
    .map(({ text }) => firstSentence(text))
    .filter((name) => hasWords(name) && !isOutput(name));
  const telling = names.filter((name) => name.length >= shortest && !isCaptionText(name));
  // A part may begin in the middle of a sentence.
  const best = telling.find((name) => /^[^\p{L}]*[\p{Lu}\p{Lo}]/u.test(name)) ?? telling[0];
  return best ?? names.find((name) => name.length >= shortest) ?? names[0];
}
