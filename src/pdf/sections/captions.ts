import type { Line } from '../layout/page.js';
import { isCaptionText } from '../../sections/labels.js';
import type { BodyStyle } from './body-style.js';

/** In lines of the running text: the least distance between a caption and other text. */
const leastGap = 1.3;

const floatTitle =
  /^(?:example|listing|algorithm|program|beispiel|algorithmus|programm|ejemplo|listado|algoritmo|programa) \d{1,3}(?:[-.]\d{1,3})*[.:]\s/iu;

/** True for the title of what floats to the top of a column or page: a figure, a table, an example or a listing. */
export function isFloatTitle(text: string): boolean {
  return isCaptionText(text) || floatTitle.test(text);
}

export function isBeside(a: Line, b: Line): boolean {
  return a.x > b.right || b.x > a.right;
}

/** True for the first line of a caption; false for a sentence that goes on with "Figure 3". */
export function opensCaption(
  line: Line,
  previous: Line,
  next: Line | undefined,
  body: BodyStyle,
): boolean {
  if (!isCaptionText(line.text)) return false;
  const gap = leastGap * body.leading * line.size;
  if (previous.page === line.page && previous.region === line.region) {
    return isBeside(previous, line) || Math.abs(line.y - previous.y) > gap;
  }
  // At the top of a page nothing but its colon or the distance below the caption tells it from text.
  return /\d:/.test(line.text.slice(0, 24)) || (next !== undefined && next.y - line.y > gap);
}
