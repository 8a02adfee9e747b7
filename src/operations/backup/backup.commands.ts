import { extname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandGroup } from '../../platform/cli/command-group.js';
import type { ConfigSession, ExitCode } from '../../platform/cli/cli.js';
import { wholeNumber } from '../../platform/cli/arguments.js';
import { createProgress } from '../../platform/cli/progress.js';
import { table } from '../../platform/cli/table.js';
import { AppError } from '../../platform/errors.js';
import { closestWord } from '../../platform/text/closest-word.js';
import type { ListedBackup } from './list-backups.js';
import type { OpenScratch } from './verify-backup.js';

interface BackupOptions {
  withSecrets?: boolean;
  keep?: number;
}

export function addBackupCommands(program: CommandGroup, openScratch: OpenScratch): void {
  const backup = program.addConfig({
    name: 'backup',
    description: 'write a backup of everything to one file; the server may run meanwhile',
    arguments: [
      ['[file]', 'a new file, or a folder for a dated one (default: backups, beside the database)'],
    ],
    options: [
      ['--with-secrets', 'keep the secrets of the configuration: passwords and tokens'],
      [
        '--keep <number>',
        'remove the oldest backups of this installation in the same folder and keep this number',
        wholeNumber('--keep', 1, 100_000),
      ],
    ],
    answer:
      '{ file, size_bytes, sha256, created_at, version, migrations, counts, configuration, removed? }',
    examples: [
      'assistant backup',
      'assistant backup --keep 14',
      'assistant backup /mnt/backups --keep 14',
      'assistant backup /mnt/backups/monday.tar.gz',
      'assistant backup list',
      'assistant backup verify /mnt/backups/monday.tar.gz',
    ],
    async run(session, options: BackupOptions, file: string | undefined) {
      refuseMistyped(file, backup.command);
      return withProgress(session, (onProgress) => make(session, onProgress, options, file));
    },
  });
  backup.addConfig({
    name: 'verify',
    description:
      'restore a backup into a temporary folder, and check that it is complete and answers questions',
    arguments: [['<file>', '']],
    options: [
      ['--questions <file>', 'questions that it must answer, in the form of assistant eval'],
    ],
    answer: '{ file, ok, problems, size_bytes, sha256, questions, … }',
    examples: [
      'assistant backup verify data/backups/monday.tar.gz',
      'assistant backup verify monday.tar.gz --questions golden.jsonl --json | jq .problems',
    ],
    run: (session, options: { questions?: string; org?: string }, file: string) =>
      withProgress(session, async (onProgress) => {
        const { verifyBackup } = await import('./verify-backup.js');
        const { describeVerification, presentVerification } = await import('./present-backup.js');
        const { config, out, interrupted: signal } = session;
        const verified = await verifyBackup(config, openScratch, {
          file: resolve(file),
          signal,
          onProgress,
          questions: await questionsOf(options.questions),
          organization: options.org,
        });
        out.result(presentVerification(verified), describeVerification(verified));
        return verified.problems.length === 0 ? 0 : 1;
      }),
  });
  backup.addConfig({
    name: 'list',
    description: 'list the backups, and the copies made before migrations, newest first',
    arguments: [['[folder]', 'another folder than backups, beside the database']],
    answer: '{ data: [{ file, form, size_bytes, created_at, problem, … }] }',
    examples: ['assistant backup list', 'assistant backup list --json | jq -r ".data[0].file"'],
    async run({ config, out }, _options, folder: string | undefined) {
      const { listBackups } = await import('./list-backups.js');
      const { presentListed } = await import('./present-backup.js');
      const listed = await listBackups(config, folder === undefined ? undefined : resolve(folder));
      out.result({ data: listed.map(presentListed) }, await listing(listed, out.width));
      if (listed.length === 0)
        out.note('There is no backup yet. Create one with: assistant backup');
      return 0;
    },
  });
}

/** `--keep` with a name that has no ending means a folder, which may be on a disk that is not mounted. */
function isFolderName(file: string, { keep }: BackupOptions): boolean {
  return file.endsWith('/') || (keep !== undefined && extname(file) === '');
}

async function make(
  session: ConfigSession,
  onProgress: OnProgress,
  options: BackupOptions,
  file: string | undefined,
): Promise<ExitCode> {
  const { createBackup } = await import('./create-backup.js');
  const { systemClock: clock } = await import('../../platform/clock.js');
  const { describeBackup, presentBackup } = await import('./present-backup.js');
  const { config, configFile, out, interrupted: signal } = session;
  const made = await createBackup(
    { config, clock },
    {
      configFile,
      signal,
      onProgress,
      withSecrets: options.withSecrets,
      file: file === undefined ? undefined : resolve(file),
      isFolder: file !== undefined && isFolderName(file, options),
    },
  );
  const { keep } = options;
  if (keep === undefined) {
    out.result(presentBackup(made), describeBackup(made));
    return 0;
  }
  const { pruneBackups } = await import('./prune-backups.js');
  const { removed, failed } = await pruneBackups(config, made, { keep, signal });
  const lines = [describeBackup(made), ...removed.map((one) => `Removed ${one}`)];
  out.result({ ...presentBackup(made), removed }, lines.join('\n'));
  for (const { file, reason } of failed) out.note(`${file} was not removed: ${reason}`);
  return failed.length === 0 ? 0 : 5;
}

/** `backup lst` is a typo, not a file name; `backup ./lst` is a file. */
function refuseMistyped(file: string | undefined, backup: Command): void {
  if (file === undefined || !/^[a-z]+$/.test(file)) return;
  const names = backup.commands.map((command) => command.name());
  const meant = closestWord(file, names);
  if (meant === undefined) return;
  const sentence = `Did you mean assistant backup ${meant}? To write a file of that name: assistant backup ./${file}`;
  throw new AppError('usage', sentence);
}

type OnProgress = (step: string, done: number, total: number) => void;

/** Shows the progress of long work. After Ctrl-C, it reports that nothing remains. */
export async function withProgress(
  session: ConfigSession,
  action: (onProgress: OnProgress) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { out, terminal } = session;
  const progress = createProgress(terminal, out.json || out.quiet);
  const inMegabytes = (bytes: number) => Math.round(bytes / 1024 ** 2);
  try {
    return await action((step, done, total) => {
      // Small steps end before anybody could read the line.
      if (total > 1024 ** 2) progress.update(step, inMegabytes(done), inMegabytes(total), 'MB');
    });
  } catch (error) {
    if (!session.interrupted.aborted) throw error;
    throw new AppError(
      'shutting_down',
      'Interrupted: nothing was changed, and no partial file is left.',
    );
  } finally {
    progress.clear();
  }
}

async function questionsOf(file: string | undefined) {
  if (file === undefined) return undefined;
  const { readQuestionFile } = await import('../../evaluation/question-file.js');
  const { readQuestions } = await import('../../evaluation/read-questions.js');
  return readQuestions(file, await readQuestionFile(file));
}

const problemLabels = {
  damaged: 'damaged',
  newer: 'of a newer version',
  'no rights': 'not readable',
};

async function listing(listed: ListedBackup[], width: number): Promise<string> {
  if (listed.length === 0) return '';
  const { sizeText } = await import('./scratch-space.js');
  return table<ListedBackup>(
    [
      { title: 'made', value: ({ createdAt }) => createdAt, time: 'minute' },
      { title: 'size', value: ({ size }) => sizeText(size) },
      {
        title: 'entries',
        value: ({ manifest }) => String(manifest?.counts['knowledge_entries'] ?? '–'),
        spare: 1,
      },
      { title: 'version', value: ({ manifest }) => manifest?.version ?? '–', spare: 2 },
      { title: 'file', value: ({ file }) => file, flexible: true, cut: 'start' },
      {
        title: '',
        value: ({ problem }) => (problem === undefined ? '' : problemLabels[problem.kind]),
      },
    ],
    listed,
    width,
  );
}
