import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CommandGroup } from '../../platform/cli/command-group.js';
import type { ConfigSession, ExitCode } from '../../platform/cli/cli.js';
import { confirm } from '../../platform/cli/prompts.js';
import type { Config } from '../../platform/config/schema.js';
import { withProgress } from './backup.commands.js';

export function addRestoreCommand(program: CommandGroup): void {
  program.addConfig({
    name: 'restore',
    description:
      'replace the database by a backup; the present database is backed up first; stop the server before',
    arguments: [['<file>', 'a file of assistant backup, or a copy made before a migration']],
    options: [['--yes', 'do not ask before the database is replaced']],
    answer:
      '{ restored, database, before, set_aside, configuration_file, pending_migrations, astray, … }',
    examples: [
      'assistant restore data/backups/monday.tar.gz',
      'assistant restore data/backups/monday.tar.gz --yes --json',
    ],
    run: restore,
  });
}

function restore(
  session: ConfigSession,
  options: { yes?: boolean },
  given: string,
): Promise<ExitCode> {
  return withProgress(session, async (onProgress) => {
    const { restoreBackup } = await import('./restore-backup.js');
    const { systemClock: clock } = await import('../../platform/clock.js');
    const { describeRestoration, presentRestoration } = await import('./present-backup.js');
    const { configFile, out, terminal, interrupted: signal } = session;
    const file = resolve(given);
    const { config, configTarget } = await targetOf(session, file);
    const { path, url } = config.database;
    // A database of PostgreSQL must be empty: nothing is overwritten there.
    if (url === null && existsSync(path)) {
      const question = `Overwrite ${path}? A backup of it is made first.`;
      if (!(await confirm(terminal, options.yes, question))) {
        out.note('Nothing was changed.');
        return 1;
      }
    }
    const restored = await restoreBackup(
      { config, clock },
      { file, configFile, configTarget, signal, onProgress },
    );
    out.result(presentRestoration(restored), describeRestoration(restored, file));
    return 0;
  });
}

/**
 * The target of a restore by the present configuration. Without one, as on a new machine, the backup's configuration is
 * used and will be written.
 */
async function targetOf(
  { config, configFile }: ConfigSession,
  file: string,
): Promise<{ config: Config; configTarget: string | undefined }> {
  const { peekConfiguration } = await import('./open-backup.js');
  const text = configFile === undefined ? await peekConfiguration(file) : undefined;
  if (text === undefined) return { config, configTarget: undefined };
  const { loadConfig } = await import('../../platform/config/load-config.js');
  // Loaded at its future place, because its relative paths start there.
  const trial = resolve(`.config.yaml.${randomUUID()}`);
  try {
    await writeFile(trial, text, { flag: 'wx', mode: 0o600 });
    return { ...(await loadConfig(trial)), configTarget: resolve('config.yaml') };
  } finally {
    await rm(trial, { force: true });
  }
}
