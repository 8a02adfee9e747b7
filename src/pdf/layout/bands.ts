import { piecesOf, usual, widestIndent, type Gutter } from './gutters.js';
import { greatest, least, type Span } from './page.js';
import { rowsOf } from './passages.js';

/** In font sizes: the distance of lines of one column. */
const widestLeading = 2.2;

/** A stretch of the page: text over both columns (`isWide`), or text in columns. */
export interface Band {
  spans: Span[];
  isWide: boolean;
  /** A line fills its column. */
  isText: boolean;
}

/** True for a span over a gutter's middle. */
function crosses({ x, right }: Span, middle: number): boolean {
  return x < middle - 1 && right > middle + 1;
}

/** Of the width of its column: the length of a line of running text. */
const fullLine = 0.75;
/** In font sizes: how far text reaches above its baseline, and below it. */
const rise = 0.7;
const fall = 0.2;
/** More lines than this are no exceptions. */
const mostCrossing = 200;
/** Of the width of its column: how far a line may be too long. */
const mostOverfull = 0.4;

const isLevel = (a: Span, b: Span) =>
  a.y - rise * a.size < b.y + fall * b.size && b.y - rise * b.size < a.y + fall * a.size;

/**
 * The lines that cross a gutter and yet belong to its left column: they are too long for it. Text of the other column
 * stands beside them, and a line of their own column directly above or below.
 */
export function findOverfull(spans: readonly Span[], { left, right }: Gutter): Set<Span> {
  const middle = (left + right) / 2;
  const found = new Set<Span>();
  const crossing = spans.filter((span) => crosses(span, middle));
  if (crossing.length === 0 || crossing.length > mostCrossing) return found;
  const own = spans.filter((span) => span.right <= middle + 1);
  const others = spans.filter((span) => span.x > middle - 1);
  const [edge = 0] = usual(own.map((span) => span.x));
  const isIn = ({ x, size }: Span) => x > edge - 0.5 * size && x < edge + widestIndent * size;
  const longest = left + mostOverfull * (left - edge);
  for (const span of crossing) {
    // What the other column is drawn over is no line over both.
    const isUnder = others.some((other) => other.x < span.right && isLevel(span, other));
    if (span.table !== undefined || (span.right > longest && !isUnder) || !isIn(span)) continue;
    const near = own.filter(
      (other) => isIn(other) && Math.abs(other.y - span.y) < widestLeading * span.size,
    );
    const above = near.some((other) => other.y < span.y);
    const below = near.some((other) => other.y > span.y);
    if ((above || below) && others.some((other) => isLevel(span, other))) found.add(span);
  }
  return found;
}

/** True for a row of a table over both columns: three cells or more on one baseline, of which none fills its column. */
function isTableRow(row: readonly Span[], middle: number, width: number, size: number): boolean {
  const cells = piecesOf(row, size);
  const left = cells.filter(({ right }) => right < middle).length;
  const isFull = cells.some(({ x, right }) => right - x > fullLine * width);
  const isOne = greatest(row, (span) => span.y) - least(row, (span) => span.y) < 1;
  return cells.length >= 3 && left > 0 && left < cells.length && !isFull && isOne;
}

/** Stretches of the page from the top: text over both columns, and text in columns, in turn. */
export function bandsBetween(
  spans: readonly Span[],
  gutter: Gutter,
  overfull: ReadonlySet<Span>,
  size: number,
): Band[] {
  const middle = (gutter.left + gutter.right) / 2;
  const width = gutter.left - least(spans, (span) => span.x);
  const rows = rowsOf(spans);
  const isOfTable = (row: readonly Span[] = []) => isTableRow(row, middle, width, size);
  const bands: Band[] = [];
  for (const [at, row] of rows.entries()) {
    const wasWide = bands.at(-1)?.isWide === true;
    const crossing = row.some((span) => crosses(span, middle) && !overfull.has(span));
    // Below a caption or a title, two rows of cells or more are a table. Else two headings may be level.
    const isNext = (other: readonly Span[] | undefined) =>
      isOfTable(other) && Math.abs((other?.[0]?.y ?? 0) - (row[0]?.y ?? 0)) < widestLeading * size;
    const isTable = isOfTable(row) && (isNext(rows[at - 1]) || isNext(rows[at + 1]));
    const hasFull = piecesOf(row, size).some(({ x, right }) => right - x > fullLine * width);
    const isWide = crossing || (wasWide && isTable);
    addTo(bands, { spans: row, isWide, isText: hasFull && !crossing });
  }
  // Names of authors above the text are centred cells. Only some rows cross the gutter.
  const merged: Band[] = [];
  for (const [at, band] of bands.entries()) {
    const isBetween = bands[at - 1]?.isWide === true && bands[at + 1]?.isWide === true;
    addTo(merged, isBetween && !band.isText ? { ...band, isWide: true } : band);
  }
  return merged;
}

function addTo(bands: Band[], { spans, isWide, isText }: Band): void {
  const last = bands.at(-1);
  if (last?.isWide !== isWide) bands.push({ spans: [...spans], isWide, isText });
  else {
    for (const span of spans) last.spans.push(span);
    last.isText ||= isText;
  }
}
