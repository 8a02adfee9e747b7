import { wholeNumber } from '../platform/cli/arguments.js';
import type { ConfigSession, ExitCode } from '../platform/cli/cli.js';
import type { CommandGroup } from '../platform/cli/command-group.js';
import { displayEnd } from '../platform/cli/terminal.js';
import type { Status } from './read-status.js';

/** The usual pause between two looks, in seconds. */
const usualSeconds = 2;

export function addStatusCommand(program: CommandGroup): void {
  program.addConfig({
    name: 'status',
    description:
      'show on one screen what runs, what waits and what needs attention; ends with 0 (all is well), 5 (it works, but needs attention) or 1 (something does not work)',
    options: [
      [
        '--watch [seconds]',
        `repeat after so many seconds (default: ${usualSeconds}); Ctrl-C ends it with exit code 130, q with 0`,
        wholeNumber('--watch', 1, 86_400),
      ],
    ],
    answer:
      '{ status, checked_at, version, checks: [{ name, status, finding, remedy }], service: { running, processes }, database: { path, size_bytes, pending_migrations }, queue: { waiting, running, failed, drafts, requests }, sources: { total, running, failing, overdue, list: [{ id, name, state, read_at }] }, vectors: { model, embedded, waiting }, models: { url, reachable, … }, backup: { file, created_at, verified_at }, disk: { folder, free_bytes } }; with --watch as a line for each look',
    examples: [
      'assistant status',
      'assistant status --watch 5',
      'assistant status --json | jq .queue',
      'assistant status --quiet > /dev/null || assistant doctor',
    ],
    run: showStatus,
  });
}

async function showStatus(
  { config, out, terminal, interrupted }: ConfigSession,
  options: { watch?: number | true },
): Promise<ExitCode> {
  const { readStatus } = await import('./read-status.js');
  const { describeChecks } = await import('./describe-checks.js');
  const { watch } = options;
  const textOf = ({ version, checked_at: at, checks }: Status, width: number, hint = '') =>
    `assistant ${version}, ${at.slice(0, 10)} ${at.slice(11, 19)} UTC${hint}\n\n${describeChecks(checks, width)}`;
  if (watch === undefined) {
    const status = await readStatus(config);
    out.result(status, textOf(status, out.width));
    return exitCodes[status.status];
  }
  const everyMs = 1000 * (watch === true ? usualSeconds : watch);
  if (terminal.stdout.isTTY === true && !out.json) {
    const { watchScreen } = await import('../platform/cli/watch-screen.js');
    return watchScreen(terminal, interrupted, everyMs, async (columns) =>
      textOf(await readStatus(config), columns, columns < 60 ? '' : ' (q ends)'),
    );
  }
  const { setTimeout: wait } = await import('node:timers/promises');
  const ended = displayEnd(terminal, interrupted);
  while (!ended.aborted) {
    const status = await readStatus(config);
    out.line(status, `${textOf(status, out.width)}\n`);
    await wait(everyMs, undefined, { signal: ended }).catch(() => undefined);
  }
  return interrupted.aborted ? 130 : 0;
}

const exitCodes = { ok: 0, warning: 5, failed: 1 } as const;
