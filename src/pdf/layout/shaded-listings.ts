import type { Area, Line } from './page.js';
import { hasSign, isProse } from './program-signs.js';

/** In points: boxes that are closer together have one ground. */
const touch = 2;
/** In font sizes: narrower boxes are cells, or the ground of a few words in a line. */
const leastWidth = 20;
/** A listing has at most this share of lines that are prose, or that fill the box without a sign of a program. */
const mostProse = 0.25;
/** With more lines in columns, it may be a table. */
const mostCells = 0.5;
/** Lines that fill less of the box end on purpose. */
const shortLine = 0.6;
/** Letters so much larger than those of most lines make a heading. */
const headingSize = 1.1;

/** One ground for boxes of the same width, one directly below the other: producers fill one for each paragraph. */
function joinShades(shades: readonly Area[]): Area[] {
  const joined: Area[] = [];
  for (const shade of [...shades].sort((a, b) => a.top - b.top)) {
    const above = joined.find(
      (other) =>
        Math.abs(other.left - shade.left) < touch &&
        Math.abs(other.right - shade.right) < touch &&
        shade.top < other.bottom + touch,
    );
    if (above === undefined) joined.push({ ...shade });
    else above.bottom = Math.max(above.bottom, shade.bottom);
  }
  return joined;
}

function isOn({ left, top, right, bottom }: Area, line: Line): boolean {
  const middle = line.y - 0.3 * line.size;
  return middle > top && middle < bottom && line.x > left - touch && line.right < right + line.size;
}

function isListing(lines: readonly Line[], shade: Area, size: number): boolean {
  const few = (share: number, test: (line: Line) => boolean) =>
    lines.filter(test).length <= share * lines.length;
  const isSigned = ({ text }: Line) => hasSign(text);
  const width = shade.right - shade.left;
  if (width < leastWidth * (lines[0]?.size ?? 0)) return false;
  if (lines.some((line) => line.table !== undefined || line.size > headingSize * size))
    return false;
  if (lines.every((line) => line.bold)) return false;
  // Records with columns are a listing only if nothing else is in them.
  const isTable = !few(mostCells, (line) => line.segments.length > 1);
  if (isTable ? !lines.every(isSigned) : !lines.some(isSigned)) return false;
  const fills = (line: Line) => line.right - shade.left > shortLine * width;
  return (
    few(mostProse, ({ text }) => isProse(text)) &&
    few(mostProse, (line) => fills(line) && !isSigned(line))
  );
}

/**
 * Marks the lines of listings in proportional type as monospaced. A shaded box is behind them, and they look like
 * commands, programs or records. Notes and warnings on a ground stay as they are.
 */
export function markShadedListings(lines: readonly Line[], shades: readonly Area[]): void {
  const sizes = lines.map((line) => line.size).sort((a, b) => a - b);
  const size = sizes[Math.floor(sizes.length / 2)] ?? 0;
  for (const shade of joinShades(shades)) {
    const inside = lines.filter((line) => isOn(shade, line));
    if (inside.every((line) => line.mono) || !isListing(inside, shade, size)) continue;
    for (const line of inside) line.mono = true;
  }
}
