/** Functions to call at the end: they release observers, timers, and listeners on objects that live longer. */
export type Cleanup = (() => void)[];

export function runCleanup(cleanup: Cleanup): void {
  for (const release of cleanup.splice(0)) release();
}
