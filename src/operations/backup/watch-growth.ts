import { stat } from 'node:fs/promises';

/** How often is looked, in milliseconds. */
const everyMs = 100;

/** Tells how far a file has grown towards a size: SQLite does not say how far its copying is. Returns how to stop. */
export function watchGrowth(
  file: string,
  total: number,
  onGrown: (done: number, total: number) => void,
): () => void {
  const timer = setInterval(() => {
    stat(file).then(
      ({ size }) => onGrown(Math.min(size, total), total),
      () => undefined,
    );
  }, everyMs);
  return () => clearInterval(timer);
}
