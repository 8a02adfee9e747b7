import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const ascii = /^[\x20-\x7E]*$/;

/**
 * The columns of a terminal that a text takes. string-width is loaded only for a text that needs it: its tables take
 * longer to set up than many a command runs.
 */
export function widthOfText(text: string): number {
  if (ascii.test(text)) return text.length;
  const { default: stringWidth } = load('string-width') as typeof import('string-width');
  return stringWidth(text);
}

/** The text where it fits so many columns of a terminal; else what fits of it, with an ellipsis where it is cut. */
export function cutToColumns(text: string, columns: number, at: 'start' | 'end' = 'end'): string {
  if (widthOfText(text) <= columns) return text;
  if (columns < 1) return '';
  const all = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  if (at === 'start') all.reverse();
  let taken = 1;
  const kept = all.findIndex((character) => (taken += widthOfText(character)) > columns);
  const shown = all.slice(0, kept);
  return at === 'start' ? `…${shown.reverse().join('')}` : `${shown.join('')}…`;
}
