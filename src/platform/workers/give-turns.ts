/** The longest time that other work of the process has to wait, in milliseconds. */
const stretchMs = 15;

/**
 * For long work in a loop: called after each step, the function lets other work of the process have a turn once a stretch
 * is over.
 */
export function giveTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < stretchMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}
