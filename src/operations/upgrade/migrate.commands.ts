import type { CommandGroup } from '../../platform/cli/command-group.js';
import type { ConfigSession, ExitCode } from '../../platform/cli/cli.js';
import { createProgress } from '../../platform/cli/progress.js';
import { AppError } from '../../platform/errors.js';
import { counted } from '../../platform/text/counted.js';

interface MigrateOptions {
  from?: string;
  to?: string;
}

export function addMigrateCommand(program: CommandGroup): void {
  program.addConfig({
    name: 'migrate',
    description:
      'copy everything between the configured database and another one, e.g. from a file to PostgreSQL; stop the servers before (without options, as upgrade)',
    options: [
      [
        '--from <database>',
        'the database to copy from, to the configured one, which must be empty',
      ],
      ['--to <database>', 'the database to copy to, from the configured one'],
    ],
    answer: '{ from, to, tables: [{ table, rows, sum }] }',
    examples: [
      'ASSISTANT_DATABASE_URL=postgres://assistant@db.example.com/assistant assistant migrate --from sqlite:data/assistant.sqlite',
      'assistant migrate --to sqlite:data/moved.sqlite',
    ],
    async run(session, options: MigrateOptions) {
      if (options.from !== undefined || options.to !== undefined) return move(session, options);
      const { upgrade } = await import('./upgrade.commands.js');
      return upgrade(session);
    },
  });
}

async function move(
  { config, out, terminal, interrupted: signal }: ConfigSession,
  { from, to }: MigrateOptions,
): Promise<ExitCode> {
  if (from !== undefined && to !== undefined) {
    throw new AppError('usage', 'Give --from or --to: the other database is the configured one.');
  }
  const { moveDatabase, settingsOf } = await import('../move/move-database.js');
  const given = settingsOf(from ?? to ?? '', config);
  const [source, target] = from === undefined ? [config.database, given] : [given, config.database];
  const progress = createProgress(terminal, out.json || out.quiet);
  try {
    const moved = await moveDatabase(source, target, {
      signal,
      onProgress: (done, total) => progress.update('copying', done, total, 'rows'),
    });
    progress.clear();
    const rows = moved.tables.reduce((sum, table) => sum + table.rows, 0);
    const sum = `Copied ${counted(rows, 'row')} of ${counted(moved.tables.length, 'table')} from ${moved.from} to ${moved.to}, and compared them.`;
    out.result(moved, sum);
    if (to !== undefined) out.note(`To use it, set database.url or database.path to it.`);
    return 0;
  } catch (error) {
    progress.clear();
    if (!signal.aborted) throw error;
    const sentence = 'Interrupted. Run the same command again to continue the copy.';
    throw new AppError('shutting_down', sentence, { cause: error });
  }
}
