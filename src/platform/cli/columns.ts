// A person reads columns, not characters: what only marks the character before takes none, and what is wide takes two.
const marks = /\p{M}|[\u200C\u200D]/gu;
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303F\uFF01-\uFF60]/gu;

/** Columns of a terminal that a text takes. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7E]*$/.test(text)) return text.length;
  const [marking, wider] = [text.match(marks), text.match(wide)];
  return Array.from(text).length - (marking?.length ?? 0) + (wider?.length ?? 0);
}

/** The text where it fits so many columns; else what fits of it with an ellipsis where it is cut. */
export function cutToColumns(text: string, columns: number, at: 'start' | 'end' = 'end'): string {
  if (columnsOf(text) <= columns) return text;
  if (columns < 1) return '';
  const characters = Array.from(text);
  if (at === 'start') characters.reverse();
  let taken = 1;
  const kept = characters.findIndex((character) => (taken += columnsOf(character)) > columns);
  const shown = characters.slice(0, kept);
  return at === 'start' ? `…${shown.reverse().join('')}` : `${shown.join('')}…`;
}
