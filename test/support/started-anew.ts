import type { App } from '../../src/platform/app.js';

/** The app of a restarted server on the same database, without the content of its memory. */
export function startedAnew<A extends App>(app: A): A {
  return { ...app, counters: { ...app.counters }, runningAnswers: new Map() };
}
