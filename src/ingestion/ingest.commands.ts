import { relative } from 'node:path';
import type { Command } from 'commander';
import { visibilities, type Visibility } from '../platform/actor.js';
import { oneOf, wholeNumber } from '../platform/cli/arguments.js';
import { withExamples, type Cli, type ExitCode, type Session } from '../platform/cli/cli.js';
import { createProgress } from '../platform/cli/progress.js';
import { printable } from '../platform/cli/terminal.js';
import { AppError } from '../platform/errors.js';
import { describeDiff } from './batch.js';
import type { IngestedFile, IngestHooks, IngestOptions } from './ingest-files.js';

interface Options {
  app?: number;
  domain?: string;
  visibility?: Visibility;
  approve?: boolean;
  wait: boolean;
  concurrency?: number;
  force?: boolean;
  quiet?: boolean;
}

export function addIngestCommand(program: Command, cli: Cli): void {
  withExamples(
    program
      .command('ingest')
      .argument('<file|folder|glob...>', 'PDFs, folders of them, or patterns')
      .description('turn PDFs into draft entries; files that were ingested before are skipped')
      .option(
        '--app <id>',
        'the app that the entries belong to (else the first)',
        wholeNumber('--app'),
      )
      .option('--domain <host>', 'the domain that the entries belong to')
      .option(
        '--visibility <tier>',
        `${visibilities.join(', ')} (of a file ingested before, entries that stand are only ever narrowed)`,
        oneOf('--visibility', visibilities),
      )
      .option('--approve', 'publish the entries at once')
      .option('--wait', 'wait until the files are processed (the default)', true)
      .option('--no-wait', 'only store the files: a running server or worker processes them')
      .option('--concurrency <number>', 'files under way at once', wholeNumber('--concurrency'))
      .option('--force', 'ingest files again that were ingested before'),
    'assistant ingest manual.pdf --domain docs.example.com --approve',
    'assistant ingest ./docs "./more/**/*.pdf" --visibility internal --json > report.json',
  ).action(async (names: string[], _options: unknown, command: Command) => {
    const options = command.optsWithGlobals<Options>();
    await cli.withApp(command, async (session) => ingest(session, names, options));
  });
}

async function ingest(session: Session, names: string[], options: Options): Promise<ExitCode> {
  const { app, actor, out } = session;
  const { findPdfFiles } = await import('./find-files.js');
  const { ingestFiles } = await import('./ingest-files.js');
  const { files, missing } = await findPdfFiles(names);
  if (files.length === 0) {
    throw new AppError(
      'not_found',
      `There is no PDF at ${missing.join(', ')}. Name a file, a folder or a pattern.`,
    );
  }
  missing.forEach((name) => out.note(`There is no PDF at ${name}.`));
  // What is wrong with the target is wrong for every file: refused once, before any is read.
  const { chooseApp } = await import('../tenancy/choose-app.js');
  const target = await chooseApp(app, actor, { appId: options.app, domain: options.domain });
  // The files are processed right here, unless a server or another worker takes them first.
  const { openWorker } = await import('./open-worker.js');
  const worker = options.wait ? openWorker(app) : undefined;
  try {
    const results = await ingestFiles(
      app,
      actor,
      files,
      ingestOptions(session, options),
      hooksFor(session, options),
    );
    const code = report(session, results, files.length, missing);
    if (target.domain !== null && !target.domainIsRegistered) {
      out.note(`No app claims ${target.domain} yet: its entries wait, unseen, until one does.`);
    }
    return code;
  } finally {
    await worker?.stop();
  }
}

function ingestOptions({ app }: Session, options: Options): IngestOptions {
  return {
    appId: options.app,
    domain: options.domain,
    visibility: options.visibility,
    force: options.force === true,
    approve: options.approve === true,
    wait: options.wait,
    concurrency: options.concurrency ?? app.config.ingestion.threads * 2,
  };
}

function hooksFor({ out, terminal, interrupted }: Session, options: Options): IngestHooks {
  const progress = createProgress(terminal, out.json || options.quiet === true);
  return {
    signal: interrupted,
    onProgress(file, batch) {
      const label = printable(shortest(file));
      if (batch.totalChunks === 0)
        progress.update(label, batch.processedPages, batch.totalPages, 'pages');
      else progress.update(label, batch.processedChunks, batch.totalChunks, 'entries');
    },
    onDone(result) {
      progress.clear();
      if (!out.json) out.line(result, lineOf(result));
      if (result.takenBack > 0) {
        const text = `${result.takenBack} not approved, since somebody took them back: batches approve ${result.batchId ?? ''} <number>`;
        out.note(`${printable(shortest(result.file))}: ${text}`);
      }
      for (const note of result.visibilityNotes) {
        out.note(`${printable(shortest(result.file))}: ${note}`);
      }
    },
  };
}

function lineOf(result: IngestedFile): string {
  const file = printable(shortest(result.file));
  if (result.error !== null)
    return `failed     ${file}: ${result.error.code}: ${result.error.message}`;
  const { diff } = result;
  const isNewVersion = diff.unchanged + diff.changed + diff.gone > 0;
  const changes = isNewVersion ? ` (${describeDiff(diff)})` : '';
  const approved = result.approved > 0 ? `, ${result.approved} approved` : '';
  const scans =
    result.pagesWithoutText.length > 0
      ? `, no text on pages ${result.pagesWithoutText.join(', ')}`
      : '';
  const hidden =
    result.pagesWithHiddenText.length > 0
      ? `, hidden text on pages ${result.pagesWithHiddenText.join(', ')}: left out`
      : '';
  const numbers = `${result.pages} pages, ${result.entries} entries${changes}${approved}${scans}${hidden}`;
  return `${result.outcome.padEnd(10)} ${file}: ${numbers}, batch ${result.batchId ?? ''}`;
}

function report(
  { out, interrupted }: Session,
  results: IngestedFile[],
  named: number,
  missing: string[],
): ExitCode {
  const count = (outcome: IngestedFile['outcome']) =>
    results.filter((one) => one.outcome === outcome).length;
  const summary = {
    files: named,
    ingested: count('ingested'),
    accepted: count('accepted'),
    unchanged: count('unchanged'),
    failed: count('failed') + missing.length,
    interrupted: count('interrupted') + (named - results.length),
  };
  const text = Object.entries(summary)
    .filter(([name, value]) => value > 0 || name === 'failed')
    .map(([name, value]) => (name === 'files' && value === 1 ? '1 file' : `${value} ${name}`))
    .join(', ');
  if (out.json) {
    out.result({ files: results.map(present), missing, summary }, '');
  } else out.note(text);
  if (interrupted.aborted) {
    out.note('Interrupted. What was accepted is kept: run the same command again to do the rest.');
  }
  const undone = summary.failed + summary.interrupted;
  if (undone === 0) return 0;
  return undone < named + missing.length ? 5 : 1;
}

function present(result: IngestedFile) {
  return {
    file: shortest(result.file),
    outcome: result.outcome,
    batch_id: result.batchId,
    pages: result.pages,
    pages_without_text: result.pagesWithoutText,
    pages_with_hidden_text: result.pagesWithHiddenText,
    diff: result.diff,
    visibility_notes: result.visibilityNotes,
    entries: result.entries,
    approved: result.approved,
    taken_back: result.takenBack,
    error: result.error,
  };
}

/** A path as a person would write it: from the present folder where it lies in there. */
function shortest(path: string): string {
  const near = relative('', path);
  return near.startsWith('..') ? path : near;
}
