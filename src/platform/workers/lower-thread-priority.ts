import { getPriority, setPriority } from 'node:os';

/** The niceness of threads that work in the background: when cores are scarce, people's requests go first. */
const background = 10;

/**
 * Gives the calling thread the priority of background work, unless it has a lower one already: to raise it is not
 * allowed. Only Linux has priorities per thread. Elsewhere this would slow down the whole server, so it does nothing.
 */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux' && getPriority() < background) setPriority(background);
}
