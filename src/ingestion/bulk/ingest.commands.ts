import type { Command } from 'commander';
import { visibilities, type Visibility } from '../../platform/actor.js';
import { decimal, oneLine, oneOf, wholeNumber } from '../../platform/cli/arguments.js';
import { named, type CommandGroup } from '../../platform/cli/command-group.js';
import type { Cli, ExitCode, Session } from '../../platform/cli/cli.js';
import { printable } from '../../platform/text/printable.js';
import { AppError } from '../../platform/errors.js';
import { kindsByExtension } from '../../documents/document.js';
import { faultOfSource } from '../upload/identity.js';
import type { RunOptions } from './run-ingest.js';

const mostConcurrency = 64;
/** Files that are sent to a server at the same time. */
const remoteConcurrency = 4;

interface Options {
  app?: string;
  domain?: string;
  visibility?: Visibility;
  source?: string;
  approve?: boolean;
  wait: boolean;
  concurrency?: number;
  force?: boolean;
  include?: string[];
  exclude?: string[];
  name?: string;
  server?: string;
  tokenFile?: string;
  prune?: boolean;
  pruneAll?: boolean;
  yes?: boolean;
  dryRun?: boolean;
  org?: string;
  quiet?: boolean;
  render?: boolean;
  depth?: number;
  mostPages?: number;
  rate?: number;
}

/** Ingests a website, which a feature further up can. */
export type IngestSite = (
  session: Session,
  address: string,
  options: Omit<Options, 'server' | 'tokenFile' | 'name' | 'org'>,
) => Promise<ExitCode>;

/** How far a website is read. */
export const siteOptions = [
  [
    '--depth <number>',
    'links from the first page of a website, at most (default: 5)',
    wholeNumber('--depth', 1, 100),
  ],
  [
    '--most-pages <number>',
    'pages of a website, at most (default: 1000)',
    wholeNumber('--most-pages', 1, 100_000),
  ],
  [
    '--rate <number>',
    'requests per second to a website, at most (default: 2)',
    decimal('--rate', 0.01, 1000),
  ],
  [
    '--render',
    'run the scripts of pages that are empty without them, by the browser of sources.browser',
  ],
  ['--no-render', 'run no scripts (default)'],
] as const;

const patternsText = `
Below a folder, files with these endings are read:${Object.keys(kindsByExtension)
  .map((ending, at) => `${at % 9 === 0 ? '\n' : ' '}.${ending}`)
  .join('')}.
The content decides what a file is, so a file that is named itself may have
any name.

--include and --exclude are patterns as in "manuals/**" or "draft-*", matched
against the path below the folder that was named (of a file that was named, its
name). A pattern without a slash means a name at any depth; one that means a
folder means all in it. Hidden files and folders are passed over.
A file behind a link that leads out of the folder is not read. A page that has
no text of its own, as a list of links, is skipped, except where it is the only
file that is named.

A document is known by its app or domain, its source and its path below the
folder that is named, wherever that folder lies. --source states the source. A
file without one is refused where a file of that path came from another folder.
What was ingested without a source gets the stated one while it is unchanged.

A website becomes a source, which assistant sources shows and reads again: the
pages below the folder of its address. Its --include and --exclude are patterns
of whole paths, in which * stands for any characters, as in "/docs/*". With
--approve, its policy becomes publish. With --no-wait, a running server reads
it.

Of a folder, documents that are gone are named: for the app and domain that are
named, those of the source that are not among the files; without a source,
those whose files lay below the folders. --prune takes them back. A file that
was moved or renamed is not gone. What was published of a file that is gone
stays as drafts, with its history; its other drafts are deleted. When a folder
contains no document, or more would go than stay, --prune is refused, since
files may be missing by mistake; --prune-all does it.`;

function readSource(name: string): string {
  const fault = faultOfSource(name);
  if (fault === undefined) return name;
  throw new AppError('usage', `--source: ${JSON.stringify(name)} is no name. ${fault}`);
}

const gather = (pattern: string, before: string[] = []) => [...before, pattern];

export function addIngestCommand(program: CommandGroup, ingestSite: IngestSite): void {
  const command = program.describe('ingest', {
    description: 'turn documents into draft entries; files that were ingested before are skipped',
    arguments: [
      [
        '<file|folder|glob...>',
        'files of documents (PDF, Word, OpenDocument, Markdown, HTML, text), folders of them, or patterns; - for standard input; or the address of one website',
      ],
    ],
    options: [
      ['--include <pattern>', 'only files that match this pattern (repeatable)', gather],
      ['--exclude <pattern>', 'no files that match this pattern (repeatable)', gather],
      ['--name <file>', 'what the file of standard input is called', oneLine('--name', 255)],
      [
        '--app <app>',
        `the app that the entries belong to (else the first): its ${named}; of a server, its number`,
      ],
      ['--domain <domain>', 'the domain that the entries belong to'],
      [
        '--source <name>',
        'the source that the files belong to: one name for each folder, since files of one name in two sources are two documents',
        readSource,
      ],
      [
        '--visibility <tier>',
        `${visibilities.join(', ')} (on re-ingestion, visibility of existing entries can be restricted but never widened)`,
        oneOf('--visibility', visibilities),
      ],
      ['--approve', 'publish the entries at once'],
      ['--wait', 'wait until the files are processed', undefined, true],
      ['--no-wait', 'only store the files: a running server or worker processes them'],
      [
        '--concurrency <number>',
        'files under way at once',
        wholeNumber('--concurrency', 1, mostConcurrency),
      ],
      ['--server <url>', 'ingest into the database of a server, by its API'],
      [
        '--token-file <file>',
        'holds the token for the server (else the session of assistant login)',
      ],
      ['--force', 'ingest files again that were ingested before'],
      ...siteOptions,
      ['--prune', 'remove entries whose source file no longer exists in the folder'],
      ['--prune-all', 'like --prune, even if more documents would go than stay'],
    ],
    consent: 'asks',
    answer:
      '{ files: [{ file, name, outcome, standing, batch_id, stored_at, pages, pages_without_text, pages_with_hidden_text, diff, visibility_notes, also_at, version_note, entries, approved, taken_back, error }], missing, unreadable: [{ path, message }], gone?: [{ file, name, batch_id, published, drafts }], pruned?: [{ file, name, batch_id, taken_back, deleted }], summary: { files, ingested, accepted, new, changed, unchanged, skipped, failed, interrupted, failures, gone?, pruned? } }; with --dry-run dry_run: true before it; of a website, as assistant sources run',
    examples: [
      'assistant ingest manual.pdf --domain docs.example.com --approve',
      'assistant ingest ./docs "./more/**/*.pdf" --visibility internal --json > report.json',
      'assistant ingest ./docs --include "manuals/**" --exclude "draft-*" --dry-run',
      'assistant ingest ./docs --source handbook --domain docs.example.com --approve --prune --yes',
      'assistant ingest https://docs.example.com/guide/ --depth 3 --exclude "*/archive/*"',
      'make-report | assistant ingest - --name report.pdf',
      'assistant ingest ./docs --server https://assistant.example.com --token-file token --approve',
    ],
  });
  command
    .addHelpText('after', patternsText)
    .action(async (names: string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      checkName(names, options);
      const [address, ...others] = names;
      if (address !== undefined && names.some((name) => /^https?:\/\//i.test(name))) {
        checkSite(others, options);
        await program.cli.withApp(command, (session) => ingestSite(session, address, options));
        return;
      }
      const { depth, mostPages, rate, render } = options;
      if ((depth ?? mostPages ?? rate ?? render) !== undefined) {
        const sentence =
          '--depth, --most-pages, --rate and --render are for a website: name its address.';
        throw new AppError('usage', sentence);
      }
      if (options.server !== undefined) {
        await ingestRemotely(program.cli, command, names, options, options.server);
        return;
      }
      if (options.tokenFile !== undefined) {
        throw new AppError('usage', '--token-file is for a server: name it with --server.');
      }
      await program.cli.withApp(command, async (session) => {
        const { app, actor } = session;
        const { runIngest } = await import('./run-ingest.js');
        const { openLocalTarget } = await import('./local-target.js');
        const { appIdNamed, hostNamed } = await import('../../tenancy/name-site.js');
        const { visibility, source, force = false } = options;
        const appId = await appIdNamed(app, actor, options.app);
        const domain = await hostNamed(app, actor, options.domain);
        const target = { appId, domain, visibility, source, force };
        // So many that what the threads have read is stored together.
        const atOnce = Math.min(mostConcurrency, app.config.ingestion.threads * 16);
        const run = runOptions(options, atOnce);
        const work = options.wait && !run.dryRun;
        return runIngest(session, names, run, (giveUp, signal) =>
          openLocalTarget(app, actor, target, { work, giveUp, signal }),
        );
      });
    });
}

/** Ingests with a token or the session of `assistant login`. Needs neither a database nor a configuration file. */
async function ingestRemotely(
  cli: Cli,
  command: Command,
  names: string[],
  options: Options,
  server: string,
): Promise<void> {
  const { tokenFile, org, prune, pruneAll, source } = options;
  if ((prune ?? pruneAll) === true && source === undefined) {
    const sentence =
      '--prune: a server does not know where files lie, but which documents a source has. State it with --source <name>, also for the first run.';
    throw new AppError('usage', sentence);
  }
  if (org !== undefined) {
    throw new AppError('usage', '--org: of a server, the token says which organization is meant.');
  }
  await cli.withConfig(command, async (session) => {
    const { out, interrupted: signal } = session;
    const { readServerUrl } = await import('../../platform/cli/server-client.js');
    const { readSecretFile } = await import('../../platform/cli/secret-file.js');
    const { tokenOfSession } = await import('../../accounts/remote/session-token.js');
    const { runIngest } = await import('./run-ingest.js');
    const { openRemoteTarget } = await import('./remote-target.js');
    const note = (text: string) => out.note(printable(text));
    const url = readServerUrl(server, note);
    const token =
      tokenFile === undefined
        ? tokenOfSession({ url, signal, note })
        : await readSecretFile(tokenFile, { option: '--token-file', what: 'token', note });
    const settings = {
      url,
      signal,
      note,
      token: typeof token === 'string' ? () => Promise.resolve(token) : token,
      refusedToken:
        tokenFile === undefined
          ? undefined
          : `The server does not take the token in ${tokenFile}: it is wrong, expired or revoked. Create another one there: assistant tokens create`,
    };
    const run = runOptions(options, remoteConcurrency);
    const { app, domain, visibility, force = false } = options;
    const appId = app === undefined ? undefined : wholeNumber('--app')(app);
    const target = { appId, domain, visibility, source, force };
    return runIngest(session, names, run, (_, stopped) =>
      openRemoteTarget({ ...settings, signal: stopped }, target),
    );
  });
}

/** Errors: `usage` for what a website can't have. */
function checkSite(others: readonly string[], { server, force, concurrency }: Options): void {
  if (others.length > 0) {
    throw new AppError('usage', 'Name one website, and no files or other websites beside it.');
  }
  if (server !== undefined) {
    const sentence =
      '--server: a server reads a website itself. Add it there as a source, in its backoffice or by POST /api/knowledge/sources.';
    throw new AppError('usage', sentence);
  }
  if (force === true || concurrency !== undefined) {
    throw new AppError('usage', '--force and --concurrency are for files, not for a website.');
  }
}

function checkName(names: readonly string[], { name }: Options): void {
  const inputs = names.filter((each) => each === '-').length;
  if (inputs > 1) throw new AppError('usage', 'Standard input (-) can be read only once.');
  if (name === undefined || inputs === 1) return;
  const sentence = '--name is what the file of standard input is called: name - as the file.';
  throw new AppError('usage', sentence);
}

function runOptions(options: Options, concurrency: number): RunOptions {
  const {
    include = [],
    exclude = [],
    approve = false,
    wait,
    dryRun = false,
    quiet = false,
  } = options;
  const { pruneAll = false, prune = pruneAll, yes = false } = options;
  return {
    choice: { include, exclude },
    stdinName: options.name,
    approve,
    wait,
    dryRun,
    quiet,
    prune,
    pruneAll,
    yes,
    concurrency: options.concurrency ?? concurrency,
  };
}
