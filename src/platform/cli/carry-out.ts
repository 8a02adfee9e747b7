import type { App } from '../app.js';
import { rehearse } from '../db/in-transaction.js';
import type { ExitCode, Session } from './cli.js';
import { confirm } from './prompts.js';

/** How a command that changes something was told to go about it. */
export interface Consent {
  yes?: boolean;
  dryRun?: boolean;
}

/** What is said of a change: the document of --json, and in words. */
export type Told = [document: object, text: string];

interface Change<T> {
  /** Asked before what can't be undone; undefined where nothing need be asked. */
  question?: string;
  work: (app: App) => Promise<T>;
  tell: (done: T) => Told | Promise<Told>;
  /** Remarks on what was done, for the person at hand. */
  notes?: (done: T) => readonly string[] | Promise<readonly string[]>;
}

/**
 * Carries a change out and tells what came of it. With --dry-run it does all of it, is refused what it would be
 * refused, and takes it back: the document then has `dry_run: true`. Answers 1 where somebody did not want it.
 */
export async function carryOut<T>(
  { app, out, terminal }: Session,
  { yes, dryRun = false }: Consent,
  { question, work, tell, notes }: Change<T>,
): Promise<ExitCode> {
  if (dryRun) {
    const [document, text] = await tell(await rehearse(app, work));
    out.result({ dry_run: true, ...document }, `(dry run) ${text}`);
    out.note('Nothing was changed.');
    return 0;
  }
  if (question !== undefined && !(await confirm(terminal, yes, question))) {
    out.note('Nothing was changed.');
    return 1;
  }
  const done = await work(app);
  out.result(...(await tell(done)));
  for (const note of (await notes?.(done)) ?? []) out.note(note);
  return 0;
}
