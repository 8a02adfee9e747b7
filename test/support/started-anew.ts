import type { App } from '../../src/platform/app.js';

/** The app as the server has it that is started anew on the same database: without what memory held. */
export function startedAnew<A extends App>(app: A): A {
  return { ...app, counters: { ...app.counters }, runningAnswers: new Map() };
}
