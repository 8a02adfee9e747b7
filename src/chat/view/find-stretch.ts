/** A part of a text, in UTF-16 units; `to` is not included. */
export interface Stretch {
  from: number;
  to: number;
}

const wordSigns = /[\p{L}\p{N}]+/gu;

/**
 * Finds parts of an answer's Markdown in its displayed text, each one after the previous one. Only letters and digits
 * are compared, because Markdown signs, link addresses and citations are not displayed as text. The displayed text is
 * read once, for any number of parts.
 */
export function stretchFinder(shown: string): (markdown: string) => Stretch | undefined {
  /** The letters and digits of the text, with their positions. */
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

/** Finds stretches of an answer's Markdown in its displayed text. Adjacent ones become one. */
export function findStretches(
  shown: string,
  response: string,
  stretches: readonly Stretch[],
): Stretch[] {
  const find = stretchFinder(shown);
  const found: Stretch[] = [];
  for (const { from, to } of stretches) {
    const one = find(response.slice(from, to));
    const last = found.at(-1);
    if (one && last && !shown.slice(last.to, one.from).trim()) last.to = one.to;
    else if (one) found.push(one);
  }
  return found;
}
