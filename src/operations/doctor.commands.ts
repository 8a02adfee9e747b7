import type { CommandGroup } from '../platform/cli/command-group.js';
import type { ConfigSession, ExitCode } from '../platform/cli/cli.js';
import { AppError } from '../platform/errors.js';
import type { Repair } from './repair/repair-database.js';

interface DoctorOptions {
  quick?: boolean;
  repair?: boolean;
  dryRun?: boolean;
}

export function addDoctorCommand(program: CommandGroup): void {
  program.addConfig({
    name: 'doctor',
    description:
      'check configuration, files, database, backups, clock, domains, keys, mail, models and text recognition, and name what fixes each problem',
    options: [
      ['--quick', 'do not load the models, and do not read the whole database'],
      ['--repair', 'repair the contents of the database, after a backup of it'],
      ['--dry-run', 'with --repair: say what it would do, and change nothing'],
    ],
    answer:
      '{ status, checked_at, version, checks: [{ name, status, finding, remedy }], repair?: { dry_run, backup, removed_rows_file, removed_rows, kinds: [{ name, found, done, left }] } }',
    examples: [
      'assistant doctor',
      'assistant doctor --quick',
      'assistant doctor --repair --dry-run',
      'assistant doctor --repair',
      'assistant doctor --json | jq ".checks[] | select(.status != \\"ok\\")"',
    ],
    run: examineAll,
  });
}

async function examineAll(
  session: ConfigSession,
  { quick = false, repair = false, dryRun = false }: DoctorOptions,
): Promise<ExitCode> {
  const { config, configFile, out } = session;
  if (dryRun && !repair) throw new AppError('usage', '--dry-run: give it with --repair.');
  const repaired = repair ? await repairAll(session, dryRun) : undefined;
  const { examine } = await import('./examine.js');
  const checks = await examine(config, configFile, { quick, onLong: (what) => out.note(what) });
  const { presentChecks, presentRepair } = await import('./doctor.schema.js');
  const { systemClock, timestamp } = await import('../platform/clock.js');
  const { packageVersion } = await import('../platform/package-root.js');
  const reply = {
    ...presentChecks(checks, timestamp(systemClock), packageVersion()),
    ...(repaired === undefined ? {} : { repair: presentRepair(repaired, dryRun) }),
  };
  if (!quick) {
    const { keepExamination } = await import('./kept-examination.js');
    await keepExamination(config, reply);
  }
  const lines = repaired === undefined ? [] : [...describeRepair(repaired, dryRun), ''];
  const { describeChecks } = await import('./describe-checks.js');
  out.result(reply, [...lines, describeChecks(checks, out.width)].join('\n'));
  const { offerMissingModels } = await import('./choose-models.js');
  await offerMissingModels(session);
  if (checks.some((check) => check.status === 'failed')) return 1;
  return repaired?.kinds.some(({ left }) => left.length > 0) === true ? 5 : 0;
}

async function repairAll(
  { config, configFile, out, interrupted }: ConfigSession,
  dryRun: boolean,
): Promise<Repair> {
  const { repairDatabase } = await import('./repair/repair-database.js');
  const onStep = (what: string) => out.note(what);
  return repairDatabase(config, { configFile, dryRun, onStep, signal: interrupted });
}

function describeRepair({ backup, kept, removed, kinds }: Repair, dryRun: boolean): string[] {
  if (kinds.length === 0) return ['There is nothing to repair in the database.'];
  const lines = [
    dryRun ? 'This is what --repair would do. Nothing was changed.' : `Backup: ${backup ?? ''}`,
  ];
  for (const { name, found, done, left } of kinds) {
    lines.push(`${name}:`, ...found.map(({ what }) => `  found: ${what}`));
    lines.push(...done.map((what) => `  ${dryRun ? 'would be done' : 'done'}: ${what}`));
    if (done.length + left.length === 0) lines.push('  mended by what is done above');
    for (const { what, remedy } of left) {
      lines.push(`  left: ${what}`, ...(remedy === undefined ? [] : [`        ${remedy}`]));
    }
  }
  const rows = Object.entries(removed).map(([table, number]) => `${table} ${number}`);
  if (rows.length > 0) {
    const place = dryRun
      ? 'would be kept in a file beside the database'
      : `are kept in ${kept ?? ''}`;
    lines.push(`The removed rows (${rows.join(', ')}) ${place}.`);
  }
  return lines;
}
