import { sizeText } from '../backup/scratch-space.js';
import type { Check } from '../doctor.schema.js';
import type { UpgradePlan } from './plan-upgrade.js';
import type { Upgraded } from './upgrade-database.js';

export function presentPlan(plan: UpgradePlan): Record<string, unknown> {
  const { installed, newest, isNewer, pending, time, rehearsal, space, steps } = plan;
  return {
    up_to_date: pending.length === 0 && !isNewer,
    installed,
    newest: { version: newest.version, needs_node: newest.node, reason: newest.reason },
    pending,
    time,
    rehearsal:
      rehearsal === null
        ? null
        : {
            failure: rehearsal.failure,
            copy_ms: rehearsal.copyMs,
            migrations: rehearsal.migrations,
            search_index_ms: rehearsal.searchIndexMs,
          },
    space: { folder: space.folder, needed_bytes: space.neededBytes, free_bytes: space.freeBytes },
    steps,
  };
}

export function describePlan(plan: UpgradePlan): string {
  const { installed, pending, time, rehearsal, space, steps } = plan;
  const lines = [
    `Installed: version ${installed.version}. The database has ${installed.migrations} migrations, the last one is ${installed.schema ?? 'none'}.`,
    `Newest:    ${describeNewest(plan)}`,
  ];
  if (pending.length === 0)
    lines.push('Pending:   nothing. The database fits the installed version.');
  else lines.push('Pending:', ...pending.map(({ name, about }) => `  ${name}: ${about}`));
  if (rehearsal !== null) {
    const outcome = rehearsal.failure ?? 'it worked';
    lines.push(`Rehearsal: on a copy of the database: ${outcome}`);
  }
  if (time !== null) {
    const why = time.why === null ? '' : ` (${time.why})`;
    lines.push(
      `Time:      ${timeText(time.ms)}, ${time.how}${why}. The database can’t be used meanwhile.`,
    );
    const enough = space.freeBytes >= space.neededBytes ? '' : ': that is too little';
    lines.push(
      `Space:     ${sizeText(space.neededBytes)}, mostly for a copy. ${sizeText(space.freeBytes)} are free in ${space.folder}${enough}.`,
    );
  }
  if (steps.length === 0) return [...lines, 'There is nothing to do.'].join('\n');
  const told = steps.map(({ does, command }, index) => {
    const line = `  ${index + 1}. ${does}.`;
    return command === null ? line : `${line}\n     ${command}`;
  });
  return [...lines, 'To upgrade:', ...told].join('\n');
}

function describeNewest({ newest, isNewer }: UpgradePlan): string {
  if (newest.version === null) return `unknown, because ${newest.reason}.`;
  const node = newest.node === null ? '' : `, which needs Node ${newest.node}`;
  return isNewer ? `${newest.version}${node}.` : `${newest.version}. You have it.`;
}

function timeText(ms: number): string {
  if (ms < 1000) return 'less than a second';
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
}

export function describeUpgraded({ applied, backup }: Upgraded, checks: readonly Check[]): string {
  const lines =
    applied.length === 0
      ? ['The database is up to date.']
      : [
          'Applied:',
          ...applied.map((name) => `  ${name}`),
          ...(backup === null
            ? []
            : [
                `The state before is kept in ${backup}`,
                'To go back: install the version before, then assistant restore with this file.',
              ]),
        ];
  for (const { status, name, finding, remedy } of checks) {
    if (status !== 'ok')
      lines.push(
        `${status}: ${name}: ${finding}`,
        ...(remedy === undefined ? [] : [`  ${remedy}`]),
      );
  }
  return lines.join('\n');
}
