/** A part of a text, in UTF-16 units; `to` is not included. */
export interface Stretch {
  from: number;
  to: number;
}

const wordSigns = /[\p{L}\p{N}]+/gu;

/**
 * Finds where a part of an answer's Markdown stands in the text that is shown of it, from `after` on. Only letters and
 * digits count: marks of Markdown, addresses of links and citations are not shown, or not as text. The text is read
 * once, however many parts are looked for.
 */
export function stretchFinder(
  shown: string,
): (markdown: string, after: number) => Stretch | undefined {
  /** The letters and digits of the text, and where each of them stands. */
  let letters = '';
  const places: number[] = [];
  for (const { 0: word, index } of shown.matchAll(wordSigns)) {
    letters += word;
    for (let at = 0; at < word.length; at += 1) places.push(index + at);
  }
  /** How many letters have gone before `after`, which only grows. */
  let passed = 0;
  return (markdown, after) => {
    const words = markdown
      .replace(/\]\([^)\s]*\)|\[\d+\]/g, ' ')
      .match(wordSigns)
      ?.join('');
    if (!words) return undefined;
    while ((places[passed] ?? after) < after) passed += 1;
    const at = letters.indexOf(words, passed);
    const from = places[at];
    if (from === undefined) return undefined;
    const to = (places[at + words.length - 1] ?? from) + 1;
    return { from, to: /[.!?…]/.test(shown.charAt(to)) ? to + 1 : to };
  };
}
