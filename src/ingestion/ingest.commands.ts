import type { Command } from 'commander';
import { visibilities, type Visibility } from '../platform/actor.js';
import { oneLine, oneOf, wholeNumber } from '../platform/cli/arguments.js';
import { withDryRun } from '../platform/cli/carry-out.js';
import { withExamples, type Cli } from '../platform/cli/cli.js';
import { AppError } from '../platform/errors.js';
import type { TargetOptions } from './bulk/local-target.js';
import type { RunOptions } from './bulk/run-ingest.js';

interface Options {
  app?: number;
  domain?: string;
  visibility?: Visibility;
  approve?: boolean;
  wait: boolean;
  concurrency?: number;
  force?: boolean;
  include: string[];
  exclude: string[];
  name?: string;
  dryRun?: boolean;
  quiet?: boolean;
}

const patternsText = `
--include and --exclude are patterns as in "manuals/**" or "draft-*", matched against the path below the folder that was
named (of a file that was named, its name). A pattern without a slash means a name at any depth; one that means a folder
means all in it. Hidden files and folders are passed over.`;

export function addIngestCommand(program: Command, cli: Cli): void {
  const command = program
    .command('ingest')
    .argument('<file|folder|glob...>', 'PDFs, folders of them, or patterns; - for standard input')
    .description('turn PDFs into draft entries; files that were ingested before are skipped');
  addChoiceOptions(command);
  addWorkOptions(command);
  withDryRun(command).addHelpText('after', patternsText);
  withExamples(
    command,
    'assistant ingest manual.pdf --domain docs.example.com --approve',
    'assistant ingest ./docs "./more/**/*.pdf" --visibility internal --json > report.json',
    'assistant ingest ./docs --include "manuals/**" --exclude "draft-*" --dry-run',
    'make-report | assistant ingest - --name report.pdf',
  ).action(async (names: string[], _options: unknown, command: Command) => {
    const options = command.optsWithGlobals<Options>();
    checkName(names, options);
    await cli.withApp(command, async (session) => {
      const { app, actor } = session;
      const { runIngest } = await import('./bulk/run-ingest.js');
      const { openLocalTarget } = await import('./bulk/local-target.js');
      const run = runOptions(options, app.config.ingestion.threads * 2);
      const work = options.wait && !run.dryRun;
      return runIngest(session, names, run, () =>
        openLocalTarget(app, actor, targetOptions(options), work),
      );
    });
  });
}

function addChoiceOptions(command: Command): void {
  const gather = (pattern: string, before: string[]) => [...before, pattern];
  command
    .option('--include <pattern>', 'only PDFs that this means, repeatable', gather, [])
    .option('--exclude <pattern>', 'no PDFs that this means, repeatable', gather, [])
    .option('--name <file>', 'what the PDF of standard input is called', oneLine('--name', 255))
    .option(
      '--app <id>',
      'the app that the entries belong to (else the first)',
      wholeNumber('--app'),
    )
    .option('--domain <host>', 'the domain that the entries belong to');
}

function addWorkOptions(command: Command): void {
  command
    .option(
      '--visibility <tier>',
      `${visibilities.join(', ')} (of a file ingested before, entries that stand are only ever narrowed)`,
      oneOf('--visibility', visibilities),
    )
    .option('--approve', 'publish the entries at once')
    .option('--wait', 'wait until the files are processed (the default)', true)
    .option('--no-wait', 'only store the files: a running server or worker processes them')
    .option(
      '--concurrency <number>',
      'files under way at once',
      wholeNumber('--concurrency', 1, 64),
    )
    .option('--force', 'ingest files again that were ingested before');
}

function checkName(names: readonly string[], { name }: Options): void {
  const inputs = names.filter((each) => each === '-').length;
  if (inputs > 1) throw new AppError('usage', 'Standard input (-) can be read only once.');
  if (name === undefined || inputs === 1) return;
  const sentence = '--name is what the PDF of standard input is called: name - as the file.';
  throw new AppError('usage', sentence);
}

function targetOptions({ app, domain, visibility, force = false }: Options): TargetOptions {
  return { appId: app, domain, visibility, force };
}

function runOptions(options: Options, concurrency: number): RunOptions {
  const { include, exclude, approve = false, wait, dryRun = false, quiet = false } = options;
  return {
    ...{ choice: { include, exclude }, stdinName: options.name },
    ...{ approve, wait, dryRun, quiet },
    concurrency: options.concurrency ?? concurrency,
  };
}
