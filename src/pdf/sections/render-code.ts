import { columnKey, greatest, least, type Line } from '../layout/page.js';

/** The character width of a monospaced line in points. Nearly all such fonts have 0.6 em. */
function advanceOf(lines: readonly Line[]): number {
  const longest = lines.reduce((a, b) => (b.text.length > a.text.length ? b : a));
  const measured = (longest.right - longest.x) / Math.max(1, longest.text.length);
  return measured > 0.3 * longest.size ? measured : 0.6 * longest.size;
}

/** A fence longer than any run of backticks in the text. */
function fenceFor(text: string): string {
  const longest = Math.max(
    2,
    greatest(text.match(/`{3,}/g) ?? [], (run) => run.length),
  );
  return '`'.repeat(longest + 1);
}

/** Removes line numbers in the margin, if there are any. */
function dropLineNumbers(rows: readonly string[]): string[] {
  const numbers = rows.map((row) => /^ *(\d{1,5})(?: |$)/.exec(row)?.[1]);
  const counted = rows.filter((row) => row !== '').length;
  const found = numbers.filter((number) => number !== undefined).map(Number);
  const steps = found.filter((number, at) => at > 0 && number === (found[at - 1] ?? 0) + 1).length;
  if (found.length < 3 || found.length < counted || steps < found.length - 1) return [...rows];
  const bare = rows.map((row) => row.replace(/^ *\d{1,5}/, (margin) => ' '.repeat(margin.length)));
  const filled = bare.filter((row) => row.trim() !== '');
  const indent = Math.min(
    120,
    least(filled, (row) => row.search(/\S/)),
  );
  return bare.map((row) => row.slice(indent).trimEnd());
}

/** The lines of each column or page: the next one begins above the last one. */
function byColumn(lines: readonly Line[]): Line[][] {
  const columns: Line[][] = [];
  let last: Line | undefined;
  for (const line of lines) {
    if (last?.page === line.page && line.y > last.y - line.size) columns.at(-1)?.push(line);
    else columns.push([line]);
    last = line;
  }
  return columns;
}

/** In characters: what begins farther right on the next page stands in another frame. */
const deepest = 12;

/**
 * Monospaced lines as a fenced block, with indentation and blank lines.
 * @param leading the usual distance of baselines in font sizes
 * @param lefts the left edge of each column
 */
export function renderCode(
  lines: readonly Line[],
  leading: number,
  lefts: ReadonlyMap<string, number>,
): string {
  const advance = advanceOf(lines);
  const rows: string[] = [];
  let previous: Line | undefined;
  // Margins differ between pages and columns, so indentation counts from the leftmost line of each.
  let seen: number[] = [];
  for (const column of byColumn(lines)) {
    const [first] = column;
    const edge = first === undefined ? 0 : (lefts.get(columnKey(first)) ?? 0);
    const inset = least(column, (line) => line.x) - edge;
    // Only an indentation that the column before has goes on in this one.
    const outer = least(seen, (each) => each);
    const isSeen = seen.some((each) => Math.abs(each - inset) < 0.25 * advance);
    const further = isSeen && inset < outer + deepest * advance ? inset - outer : 0;
    const left = edge + inset - further;
    seen = column.map((line) => line.x - edge);
    for (const line of column) {
      const gap = previous?.page === line.page ? (line.y - previous.y) / line.size : 0;
      if (gap > 1.6 * Math.min(leading, 1.25)) rows.push('');
      const indent = Math.min(120, Math.round((line.x - left) / advance));
      rows.push(' '.repeat(indent) + line.text.replaceAll('\u00ad', '-'));
      previous = line;
    }
  }
  const text = dropLineNumbers(rows).join('\n');
  const fence = fenceFor(text);
  return `${fence}\n${text}\n${fence}`;
}
