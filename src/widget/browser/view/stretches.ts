/** A part of a text, in UTF-16 units; `to` is not included. */
export interface Stretch {
  from: number;
  to: number;
}

/**
 * Where stretches of an answer's Markdown stand in the text that is shown of it. Compared by letters and digits alone:
 * marks of Markdown, addresses of links and citations are not shown, or not as text. What is not found is left out.
 */
export function findStretches(
  shown: string,
  response: string,
  stretches: readonly Stretch[],
): Stretch[] {
  const { letters, at } = lettersOf(shown);
  const found: Stretch[] = [];
  let after = 0;
  for (const { from, to } of stretches) {
    const source = response
      .slice(from, to)
      .replace(/\]\([^)\s]*\)/g, ' ')
      .replace(/\[\d{1,3}\]/g, ' ');
    const wanted = lettersOf(source).letters;
    const start = wanted === '' ? -1 : letters.indexOf(wanted, after);
    const first = at[start];
    const last = at[start + wanted.length - 1];
    if (first === undefined || last === undefined) continue;
    after = start + wanted.length;
    found.push({ from: first, to: withEnd(shown, last + 1) });
  }
  return found;
}

/** The full stop of a sentence belongs to it. */
function withEnd(shown: string, to: number): number {
  return /[.!?…]/.test(shown.charAt(to)) ? to + 1 : to;
}

function lettersOf(text: string): { letters: string; at: number[] } {
  const at: number[] = [];
  let letters = '';
  for (const match of text.matchAll(/[\p{L}\p{N}]/gu)) {
    letters += match[0];
    for (let unit = 0; unit < match[0].length; unit++) at.push(match.index + unit);
  }
  return { letters, at };
}
