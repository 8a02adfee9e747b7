/** A part of a text, in UTF-16 units; `to` is not included. */
export interface Stretch {
  from: number;
  to: number;
}

const wordSigns = /[\p{L}\p{N}]+/gu;

/**
 * Finds where parts of an answer's Markdown stand in the text that is shown of it, each behind the one before. Only
 * letters and digits count: marks of Markdown, addresses of links and citations are not shown, or not as text. The text
 * is read once, however many parts are looked for.
 */
export function stretchFinder(shown: string): (markdown: string) => Stretch | undefined {
  /** The letters and digits of the text, and where each of them stands. */
  let letters = '';
  const places: number[] = [];
  for (const { 0: word, index } of shown.matchAll(wordSigns)) {
    letters += word;
    for (let at = 0; at < word.length; at += 1) places.push(index + at);
  }
  let next = 0;
  return (markdown) => {
    const words = markdown
      .replace(/\]\([^)\s]*\)|\[\d+\]/g, ' ')
      .match(wordSigns)
      ?.join('');
    const at = words ? letters.indexOf(words, next) : -1;
    if (!words || at < 0) return undefined;
    next = at + words.length;
    const to = (places[next - 1] ?? 0) + 1;
    return { from: places[at] ?? 0, to: /[.!?…]/.test(shown.charAt(to)) ? to + 1 : to };
  };
}
