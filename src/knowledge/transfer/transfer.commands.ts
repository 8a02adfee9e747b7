import type { Visibility } from '../../platform/actor.js';
import { named, type CommandGroup } from '../../platform/cli/command-group.js';
import { oneOf } from '../../platform/cli/arguments.js';
import type { ExitCode, Session } from '../../platform/cli/cli.js';
import { createProgress } from '../../platform/cli/progress.js';
import { counted } from '../../platform/text/counted.js';
import { printable } from '../../platform/text/printable.js';
import type { EntryStatus } from '../entry.js';
import { ofDomain, ofStatus, ofTier } from '../edit-entry.commands.js';
import type { Imported } from './imported.js';
import type { Exported } from './write-export.js';

const formats = ['jsonl', 'markdown'] as const;

interface ExportOptions {
  status?: EntryStatus;
  visibility?: Visibility;
  domain?: string;
  format?: (typeof formats)[number];
  prune?: boolean;
  yes?: boolean;
}

interface ImportFlags {
  domain?: string;
  app?: string;
  dryRun?: boolean;
}

/** Adds the commands `export` and `import`. */
export function addTransferCommands(knowledge: CommandGroup): void {
  knowledge.add({
    name: 'export',
    description: 'write the entries to files that another installation can import',
    arguments: [
      ['<file|folder>', 'a .jsonl file, a folder for Markdown files, - for standard output'],
    ],
    options: [
      ofStatus,
      ofTier,
      ofDomain,
      [
        '--format <format>',
        'jsonl or markdown (default: by the name, a .jsonl file or a folder)',
        oneOf('--format', formats),
      ],
      ['--prune', 'remove files of the folder whose entries are not in this export'],
      ['--yes', 'write over a file without asking'],
    ],
    answer:
      '{ target, format, entries, stale, pruned }; on standard output, the JSON lines of the entries',
    examples: [
      'assistant knowledge export knowledge.jsonl',
      'assistant knowledge export ./knowledge/ --status published --prune',
      'assistant knowledge export - | gzip > knowledge.jsonl.gz',
    ],
    run: exportTo,
  });
  knowledge.add({
    name: 'import',
    description: 'create and change entries from exported files; equal entries stay unchanged',
    arguments: [
      ['<file|folder>', 'JSON lines, Markdown files, or - for JSON lines on standard input'],
    ],
    options: [
      ['--domain <domain>', 'the domain of entries whose file names none'],
      [
        '--app <app>',
        `of entries for a whole app, where there is no app of the name in their file (its ${named})`,
      ],
      ['--dry-run', 'only show what would be done'],
    ],
    answer:
      '{ dry_run, interrupted, summary: { created, updated, unchanged, failed }, failures: [{ source, line, title, code, message }], changes? }',
    examples: [
      'assistant knowledge import knowledge.jsonl --dry-run',
      'assistant knowledge import ./knowledge/ --domain docs.example.com',
      'gunzip -c knowledge.jsonl.gz | assistant knowledge import - --json',
    ],
    run: importFrom,
  });
}

async function exportTo(
  session: Session,
  options: ExportOptions,
  target: string,
): Promise<ExitCode> {
  const { app, actor, out, terminal } = session;
  const { stat } = await import('node:fs/promises');
  const { exportEntries } = await import('./export-entries.js');
  const { jsonLines, writeFolder } = await import('./write-export.js');
  const { exportText } = await import('../../platform/cli/write-text.js');
  const { hostNamed } = await import('../../tenancy/name-site.js');
  // The output itself on the terminal shows the progress.
  const isShown = target === '-' && terminal.stdout.isTTY === true;
  const progress = createProgress(terminal, out.json || out.quiet || isShown);
  const domain = await hostNamed(app, actor, options.domain);
  let entries = 0;
  const records = exportEntries(app, actor, { ...options, domain }, (done, total) => {
    entries = done;
    progress.update(target, done, total, 'entries');
  });
  const found = target === '-' ? undefined : await stat(target).catch(() => undefined);
  const isFile = found === undefined || found.isFile() || found.isDirectory();
  const isFolder = found?.isDirectory() === true || /[/\\]$/.test(target);
  const byName = isFolder || !/\.[A-Za-z0-9]+$/.test(target) ? 'markdown' : 'jsonl';
  const format = target === '-' || !isFile ? 'jsonl' : (options.format ?? byName);
  if (format === 'jsonl') {
    return exportText(session, {
      target,
      yes: options.yes,
      progress,
      pieces: jsonLines(records),
      told: () => [
        { target, format, entries, stale: 0, pruned: false },
        counted(entries, 'entry', 'entries'),
      ],
    });
  }
  const into = { prune: options.prune === true, organizationId: actor.organizationId };
  const done = await writeFolder(records, target, into).finally(progress.clear);
  out.result(
    { target, format, ...done },
    `Exported ${counted(done.entries, 'entry', 'entries')} to ${target}.`,
  );
  if (done.stale > 0) out.note(staleNote(done));
  return 0;
}

function staleNote({ stale, pruned }: Exported): string {
  const files = counted(stale, 'file');
  return pruned
    ? `Removed ${files} of entries that are not in this export.`
    : `${files} of entries that are not in this export are still there: --prune removes them.`;
}

/** The most records of each kind in a JSON document, because its reader has to hold all of them. */
const listed = 1000;

async function importFrom(
  { app, actor, out, terminal, interrupted }: Session,
  flags: ImportFlags,
  source: string,
): Promise<ExitCode> {
  const { countSources, readSources } = await import('./read-sources.js');
  const { importEntries } = await import('./import-entries.js');
  const dryRun = flags.dryRun === true;
  const silent = out.json || out.quiet;
  const progress = createProgress(terminal, silent);
  const total = silent ? 0 : await countSources(source);
  const summary = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const failures: object[] = [];
  const changes: object[] = [];
  const { appIdNamed, hostNamed } = await import('../../tenancy/name-site.js');
  const domain = await hostNamed(app, actor, flags.domain);
  const appId = await appIdNamed(app, actor, flags.app);
  const options = { domain, appId, dryRun, signal: interrupted };
  const said = readSources(source, terminal.stdin, interrupted);
  let done = 0;
  for await (const one of importEntries(app, actor, said, options)) {
    summary[outcomes[one.action]] += 1;
    done += 1;
    const { id, title, line } = one;
    const place = { source: one.source, line };
    if (one.error !== null) {
      if (failures.length < listed) failures.push({ ...place, title, ...one.error });
    } else if (dryRun && one.action !== 'unchanged' && changes.length < listed) {
      changes.push({ ...place, id, title, action: one.action });
    }
    const isTold = one.error !== null || (dryRun && one.action !== 'unchanged');
    if (isTold) progress.clear();
    if (isTold && !out.json) out.line({}, printable(lineOf(one)));
    progress.update(source, done, total === 0 ? 0 : Math.max(done, total), 'entries');
  }
  progress.clear();
  const was = interrupted.aborted;
  out.result(
    { dry_run: dryRun, interrupted: was, summary, failures, ...(dryRun ? { changes } : {}) },
    Object.entries(summary)
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  );
  if (dryRun) out.note('Nothing was changed: --dry-run.');
  if (was) out.note('Interrupted. Run the same command again to do the rest.');
  if (summary.failed === 0 && !was) return 0;
  return done > summary.failed ? 5 : 1;
}

const outcomes = {
  create: 'created',
  update: 'updated',
  unchanged: 'unchanged',
  failed: 'failed',
} as const;

function lineOf({ source, line, action, title, error }: Imported): string {
  const place = line === null ? source : `${source}, line ${line}`;
  return `${action.padEnd(7)} ${place}: ${error?.message ?? title ?? ''}`;
}
