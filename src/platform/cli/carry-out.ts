import type { App } from '../app.js';
import { rehearse } from '../db/in-transaction.js';
import type { ExitCode, Session } from './cli.js';
import { confirm } from './prompts.js';

/** The options of a command that changes something: --yes and --dry-run. */
export interface Consent {
  yes?: boolean;
  dryRun?: boolean;
}

/** The report of a change: the document for --json, and the text for people. */
export type Told = [document: object, text: string];

interface Change<T> {
  /** The question before an irreversible change; undefined when no question is needed. */
  question?: string;
  work: (app: App) => Promise<T>;
  tell: (done: T) => Told | Promise<Told>;
  /** Remarks for the person at the terminal. */
  notes?: (done: T) => readonly string[] | Promise<readonly string[]>;
}

/**
 * Makes a change and reports the result. With --dry-run, the change runs with every check and is rolled back; the
 * document then has `dry_run: true`. Returns exit code 1 when the person declines.
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
