import { columnKey, type PageLines } from '../layout/page.js';
import { weigh } from './body-style.js';

/** In points: how far a page may be indented as a whole, in the middle of a list. */
const deepest = 80;

/**
 * The left edge of the running text in each column. If all of a column is indented, it is the edge that most columns of
 * left or right pages have.
 */
export function findLeftEdges(pages: readonly PageLines[]): Map<string, number> {
  const edges = new Map<string, number>();
  for (const line of pages.flatMap((page) => page.lines)) {
    const key = columnKey(line);
    if (line.table === undefined) edges.set(key, Math.min(line.x, edges.get(key) ?? Infinity));
  }
  const sideOf = (key: string) => Number.parseInt(key) % 2;
  const times = new Map<string, number>();
  for (const [key, x] of edges) weigh(times, `${sideOf(key)} ${Math.round(x)}`);
  return new Map(
    [...edges].map(([key, x]) => {
      let best = x;
      let most = times.get(`${sideOf(key)} ${Math.round(x)}`) ?? 0;
      for (let other = Math.round(x) - 1; other >= x - deepest; other--) {
        const count = times.get(`${sideOf(key)} ${other}`) ?? 0;
        if (count > most) [best, most] = [other, count];
      }
      return [key, best];
    }),
  );
}
