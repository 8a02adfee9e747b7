import type { CommandGroup } from '../platform/cli/command-group.js';
import type { ConfigSession, ExitCode } from '../platform/cli/cli.js';

export function addOperationCommands(program: CommandGroup): void {
  program.addConfig({
    name: 'doctor',
    description:
      'check configuration, files, database, backups, clock, domains, keys, mail and models, and say what mends each',
    options: [['--quick', 'do not load the models to see whether they fit into memory']],
    answer: '{ status, checked_at, version, checks: [{ name, status, finding, remedy }] }',
    examples: [
      'assistant doctor',
      'assistant doctor --quick',
      'assistant doctor --json | jq ".checks[] | select(.status != \\"ok\\")"',
    ],
    run: examineAll,
  });
  program.addConfig({
    name: 'migrate',
    description: 'bring the database up to date; one that holds data is copied first',
    options: [['--dry-run', 'only say what would be done']],
    answer: '{ pending, applied, backup }',
    examples: ['assistant migrate --dry-run', 'assistant migrate'],
    run: migrateAll,
  });
}

async function examineAll(
  { config, configFile, out }: ConfigSession,
  options: { quick?: boolean },
): Promise<ExitCode> {
  const { examine } = await import('./examine.js');
  const checks = await examine(config, configFile, {
    quick: options.quick === true,
    onLong: (what) => out.note(what),
  });
  const text = checks
    .map(({ status, name, finding, remedy }) => {
      const line = `${status.padEnd(7)} ${name}: ${finding}`;
      return remedy === undefined ? line : `${line}\n        ${remedy}`;
    })
    .join('\n');
  const { presentChecks } = await import('./doctor.schema.js');
  const { systemClock, timestamp } = await import('../platform/clock.js');
  const { packageVersion } = await import('../platform/package-root.js');
  out.result(presentChecks(checks, timestamp(systemClock), packageVersion()), text);
  return checks.some((check) => check.status === 'failed') ? 1 : 0;
}

async function migrateAll(
  { config, out }: ConfigSession,
  options: { dryRun?: boolean },
): Promise<ExitCode> {
  const { openDatabase } = await import('../platform/db/open-database.js');
  const { requireDatabase } = await import('../platform/db/require-database.js');
  const { migrate, pendingMigrations } = await import('../platform/db/migrate.js');
  const { systemClock } = await import('../platform/clock.js');
  const { createLog } = await import('../platform/log.js');
  const { bringIndexUpToDate } = await import('../search/term-index/bring-index-up-to-date.js');
  const { isIndexOutdated } = await import('../search/term-index/index-format.js');
  // Opening would create the file, but a dry run creates nothing.
  if (options.dryRun === true) requireDatabase(config.database.path);
  const db = await openDatabase(config.database);
  try {
    const migrations = await pendingMigrations(db);
    // Pending migrations may create the index, so check it afterwards.
    const isIndexed = migrations.length > 0 || !(await isIndexOutdated({ db }));
    const pending = isIndexed ? migrations : ['search-index'];
    if (options.dryRun === true || pending.length === 0) {
      const text =
        pending.length === 0
          ? 'The database is up to date.'
          : `Pending:\n  ${pending.join('\n  ')}`;
      out.result({ pending, applied: [], backup: null }, text);
      return 0;
    }
    const store = { db, clock: systemClock, log: createLog({ ...config.log, level: 'warn' }) };
    const { applied: migrated, backup } = await migrate(store, config.database.path);
    await bringIndexUpToDate(store);
    const applied = isIndexed ? migrated : pending;
    const copy = backup === undefined ? '' : `\nThe state before is kept in ${backup}`;
    out.result(
      { pending: [], applied, backup: backup ?? null },
      `Applied:\n  ${applied.join('\n  ')}${copy}`,
    );
    return 0;
  } finally {
    await db.close();
  }
}
