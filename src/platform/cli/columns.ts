import stringWidth from 'string-width';

const characters = new Intl.Segmenter();

/** The text where it fits so many columns of a terminal; else what fits of it, with an ellipsis where it is cut. */
export function cutToColumns(text: string, columns: number, at: 'start' | 'end' = 'end'): string {
  if (stringWidth(text) <= columns) return text;
  if (columns < 1) return '';
  const all = Array.from(characters.segment(text), ({ segment }) => segment);
  if (at === 'start') all.reverse();
  let taken = 1;
  const kept = all.findIndex((character) => (taken += stringWidth(character)) > columns);
  const shown = all.slice(0, kept);
  return at === 'start' ? `…${shown.reverse().join('')}` : `${shown.join('')}…`;
}
