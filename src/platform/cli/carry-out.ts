import type { Command } from 'commander';
import type { App } from '../app.js';
import { rehearse } from '../db/rehearse.js';
import type { ExitCode, Session } from './cli.js';
import { confirm } from './prompts.js';

/** How a command that changes something was told to go about it. */
export interface Consent {
  yes?: boolean;
  dryRun?: boolean;
}

interface Change<T> {
  /** Asked before what can't be undone; undefined where nothing need be asked. */
  question?: string;
  work: (app: App) => Promise<T>;
  /** What was done, as the document of --json and in words. */
  tell: (done: T) => [document: object, text: string];
}

export function withDryRun(command: Command): Command {
  return command.option(
    '--dry-run',
    'say what would come of it (dry_run: true with --json), and change nothing',
  );
}

/** For what takes something away: asked about on a terminal, and refused without one unless --yes says so. */
export function withConsent(command: Command): Command {
  return withDryRun(command.option('--yes', 'do not ask'));
}

/**
 * Carries a change out and tells what came of it. With --dry-run it does all of it, is refused what it would be
 * refused, and takes it back: the document then has `dry_run: true`. Answers 1 where somebody did not want it.
 */
export async function carryOut<T>(
  { app, out, terminal }: Session,
  { yes, dryRun = false }: Consent,
  { question, work, tell }: Change<T>,
): Promise<ExitCode> {
  if (dryRun) {
    const [document, text] = tell(await rehearse(app, work));
    out.result({ dry_run: true, ...document }, `(dry run) ${text}`);
    out.note('Nothing was changed.');
    return 0;
  }
  if (question !== undefined && !(await confirm(terminal, yes, question))) {
    out.note('Nothing was changed.');
    return 1;
  }
  out.result(...tell(await work(app)));
  return 0;
}
