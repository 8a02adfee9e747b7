import type { Span } from './page.js';
import { textOf } from './spans.js';

/** In font sizes: the lines of a caption are not farther apart. */
const leading = 1.5;
/** So few rows hold the first lines of captions side by side. */
const mostRows = 3;
const mostCaptions = 8;

const opens = ({ runs }: Span) => /^(?:fig|abb)/i.test(runs[0]?.text ?? '');
/** True for the beginning of the caption of a figure. */
export const isCaption = (span: Span) =>
  /^(?:fig(?:ure|ura|\.)?|abb(?:ildung|\.)?)\s*\d/i.test(textOf(span));

/** Captions of figures side by side, each with its lines, and the number of rows that they fill; undefined without. */
export function captionsFrom(
  rows: readonly Span[][],
  start: number,
): { captions: Span[][]; count: number } | undefined {
  const [first] = rows[start] ?? [];
  if (first === undefined || !opens(first) || !isCaption(first)) return undefined;
  // Those beside it may stand a line lower.
  const heads = rows
    .slice(start, start + mostRows)
    .flat()
    .filter((span) => span.y - first.y < leading * first.size && opens(span) && isCaption(span))
    .sort((a, b) => a.x - b.x);
  const isBeside = heads.every(({ x }, at) => at === 0 || x > (heads[at - 1]?.right ?? 0));
  if (heads.length < 2 || heads.length > mostCaptions || !isBeside) return undefined;
  const captions = heads.map((): Span[] => []);
  /** The caption under which a span stands; -1 where it reaches under the next one. */
  const placeOf = (span: Span) => {
    const at = heads.findLastIndex(({ x }) => span.x > x - span.size);
    return span.right < (heads[at + 1]?.x ?? Infinity) ? at : -1;
  };
  let count = 0;
  let last = first;
  for (const row of rows.slice(start)) {
    const isNext = row.every(
      (span) =>
        span.y - last.y < leading * first.size &&
        span.size < 1.1 * first.size &&
        span.table === undefined &&
        placeOf(span) >= 0 &&
        (heads.includes(span) || !opens(span)),
    );
    if (!isNext) break;
    for (const span of row) captions[placeOf(span)]?.push(span);
    last = row[0] ?? last;
    count++;
  }
  return count === 0 ? undefined : { captions, count };
}
