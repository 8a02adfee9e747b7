import type { Line } from '../layout/page.js';

/** Character advance of a monospaced line in points; 0.6 em is what nearly all such fonts have. */
function advanceOf(lines: readonly Line[]): number {
  const longest = lines.reduce((a, b) => (b.text.length > a.text.length ? b : a));
  const measured = (longest.right - longest.x) / Math.max(1, longest.text.length);
  return measured > 0.3 * longest.size ? measured : 0.6 * longest.size;
}

/** A fence longer than any run of backticks inside. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
  return '`'.repeat(longest + 1);
}

/** The lines without numbers that count them in the margin, if there are such. */
function dropLineNumbers(rows: readonly string[]): string[] {
  const numbers = rows.map((row) => /^ *(\d{1,5})(?: |$)/.exec(row)?.[1]);
  const counted = rows.filter((row) => row !== '').length;
  const found = numbers.filter((number) => number !== undefined).map(Number);
  const steps = found.filter((number, at) => at > 0 && number === (found[at - 1] ?? 0) + 1).length;
  if (found.length < 3 || found.length < counted || steps < found.length - 1) return [...rows];
  const bare = rows.map((row) => row.replace(/^ *\d{1,5}/, (margin) => ' '.repeat(margin.length)));
  const indents = bare.filter((row) => row.trim() !== '').map((row) => row.search(/\S/));
  const least = Math.min(...indents, 120);
  return bare.map((row) => row.slice(least).trimEnd());
}

/**
 * Monospaced lines as a fenced block, with their indentation and blank lines.
 * @param leading usual distance of baselines in font sizes
 */
export function renderCode(lines: readonly Line[], leading: number): string {
  const advance = advanceOf(lines);
  const left = new Map<number, number>();
  // Pages may have different margins, so that indentation is counted from each page's own leftmost line.
  for (const line of lines) left.set(line.page, Math.min(left.get(line.page) ?? Infinity, line.x));
  const rows: string[] = [];
  let previous: Line | undefined;
  for (const line of lines) {
    const gap = previous?.page === line.page ? (line.y - previous.y) / line.size : 0;
    if (gap > 1.6 * Math.min(leading, 1.25)) rows.push('');
    const indent = Math.round((line.x - (left.get(line.page) ?? line.x)) / advance);
    rows.push(' '.repeat(Math.max(0, Math.min(indent, 120))) + line.text.replaceAll('\u00ad', '-'));
    previous = line;
  }
  const text = dropLineNumbers(rows).join('\n');
  const fence = fenceFor(text);
  return `${fence}\n${text}\n${fence}`;
}
