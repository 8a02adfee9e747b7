import type { Line } from '../layout/page.js';
import type { BodyStyle } from './body-style.js';
import { isLabelText, labelWords } from '../../sections/labels.js';

/** True where later lines begin farther right than the first: it is a term, and they are its definition. */
function hangs([first, second]: readonly Line[]): boolean {
  if (first === undefined || second?.page !== first.page || second.region !== first.region) {
    return false;
  }
  return second.x > first.x + 0.8 * first.size;
}

/**
 * The name that a paragraph or list item has in the document: a line of its own in bold type, or the bold words at its
 * beginning that form no part of its first sentence. Monospaced words count only where the definition hangs behind
 * them.
 */
export function labelOf(
  lines: readonly Line[],
  marker: string,
  body: BodyStyle,
): string | undefined {
  const [first] = lines;
  if (first === undefined) return undefined;
  if (lines.every((line) => line.bold && !line.mono) && !body.bold && lines.length <= 2) {
    const text = labelWords(lines.map((line) => line.text.trim()).join(' '));
    return isLabelText(text) ? text : undefined;
  }
  const { lead } = first;
  if (lead === undefined) return undefined;
  const text = labelWords(lead.text);
  const rest = first.text.slice(lead.text.length).trimStart();
  const isApart =
    /[.:–—]$/u.test(lead.text) || /^(?:[:–—]|- )/u.test(rest) || /^[("“„«]?\p{Lu}/u.test(rest);
  const isLabel = (lead.bold && isApart) || (marker === '' && hangs(lines));
  return isLabel && isLabelText(text) ? text : undefined;
}
