/** What is to be released once something ends: observers, timers, listeners on what outlives it. */
export type Life = (() => void)[];

export function end(life: Life): void {
  for (const release of life.splice(0)) release();
}
