/** What is to be released once something ends: observers, timers, listeners on what outlives it. */
export type Cleanup = (() => void)[];

export function runCleanup(cleanup: Cleanup): void {
  for (const release of cleanup.splice(0)) release();
}
