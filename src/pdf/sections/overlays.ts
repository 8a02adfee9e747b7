import type { Line, PageLines } from '../layout/page.js';
import type { OutlineEntry } from '../reader/syntax/bookmarks.js';

function keyOf({ text, x, y }: Line): string {
  return `${Math.round(x)} ${Math.round(y)} ${text}`;
}

/** True when the next page shows all lines of this one at the same places. */
function isCoveredBy(page: PageLines, next: PageLines): boolean {
  if (page.lines.length === 0 || page.lines.length > next.lines.length) return false;
  const keys = new Set(next.lines.map(keyOf));
  return page.lines.every((line) => line.table === undefined && keys.has(keyOf(line)));
}

/**
 * Removes the lines of slides that the next page repeats and completes, as slides do that appear step by step. Their
 * bookmarks then lead to the last step.
 */
export function dropOverlays(
  pages: readonly PageLines[],
  outline: readonly OutlineEntry[],
): { pages: PageLines[]; outline: OutlineEntry[] } {
  const target = new Map<number, number>();
  const kept = [...pages];
  for (let at = kept.length - 2; at >= 0; at--) {
    const [page, next] = [pages[at], pages[at + 1]];
    if (page === undefined || next === undefined || !isCoveredBy(page, next)) continue;
    kept[at] = { ...page, lines: [] };
    target.set(page.number, target.get(next.number) ?? next.number);
  }
  if (target.size === 0) return { pages: kept, outline: [...outline] };
  return {
    pages: kept,
    outline: outline.map((entry) => ({ ...entry, page: target.get(entry.page) ?? entry.page })),
  };
}
