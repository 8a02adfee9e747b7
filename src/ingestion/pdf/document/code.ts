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
  const text = rows.join('\n');
  const fence = fenceFor(text);
  return `${fence}\n${text}\n${fence}`;
}
