import { visibilities, type Visibility } from '../platform/actor.js';
import { duration, oneLine, oneOf } from '../platform/cli/arguments.js';
import { siteOptions } from '../ingestion/bulk/ingest.commands.js';
import { isUnchanged } from '../platform/cli/ask-for-changes.js';
import type { Session } from '../platform/cli/cli.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';
import { type Argument, type CommandGroup, named } from '../platform/cli/command-group.js';
import { AppError } from '../platform/errors.js';
import { printable } from '../platform/text/printable.js';
import type { getSourceNamed } from './read-sources.js';
import { policies, type Policy } from './source.js';

const argument: Argument = ['<source>', `its ${named}`];
const answer = 'Source';
const gather = (pattern: string, before: string[] = []) => [...before, pattern];

/** The options of `create` and `edit`. */
interface Options extends Consent {
  site?: string;
  folder?: string;
  /** In minutes; 0 for never. */
  every?: number;
  reportTo?: string;
  policy?: Policy;
  visibility?: Visibility;
  include?: string[];
  exclude?: string[];
  depth?: number;
  mostPages?: number;
  rate?: number;
  render?: boolean;
}

const minutes = (text: string) => {
  if (text === 'never') return 0;
  const seconds = duration('--every', '365d')(text);
  if (seconds >= 60) return Math.floor(seconds / 60);
  throw new AppError('usage', '--every: expected at least 1m, or never.');
};

const options = [
  ['--site <url>', 'the address where reading a website begins', oneLine('--site', 1000)],
  ['--folder <folder>', 'a folder of this machine'],
  ['--every <time>', 'how long to wait between two runs: 30m, 24h or 7d; never (default)', minutes],
  [
    '--policy <policy>',
    'review: all drafts wait for a person (default); publish_changes: publish new versions of published entries; publish: also publish new entries, and take back what is gone. Entries that a person edited always wait',
    oneOf('--policy', policies),
  ],
  [
    '--visibility <tier>',
    `${visibilities.join(', ')} (default: that of the app)`,
    oneOf('--visibility', visibilities),
  ],
  [
    '--report-to <user>',
    'mail a report of each run that brings something to this user (e-mail address or number); nobody: no reports (default)',
  ],
  ['--include <pattern>', 'only what matches this pattern (repeatable)', gather],
  ['--exclude <pattern>', 'nothing that matches this pattern (repeatable)', gather],
  ...siteOptions,
] as const;

const patternsText = `
Of a website, the pages below the folder of the address are read. --include and
--exclude are patterns of whole paths, in which * stands for any characters, as
in "/docs/*" or "*/archive/*"; --include replaces the rule of the folder. Of a
folder, they are those of assistant ingest.`;

export function addSourceCommands(program: CommandGroup): void {
  const sources = program.group('sources', 'websites and folders that are read again and again');
  addList(sources);
  addShow(sources);
  addCreate(sources);
  addEdit(sources);
  addDelete(sources);
  addRun(sources);
}

async function findSource(...wanted: Parameters<typeof getSourceNamed>) {
  return (await import('./read-sources.js')).getSourceNamed(...wanted);
}

function addList(sources: CommandGroup): void {
  sources.list({
    things: 'sources',
    description: 'list the sources with their last runs',
    first: 'Create one with: assistant sources create <name> --site <url>',
    examples: ['assistant sources list'],
    async load({ app, actor }, page) {
      const { listSources } = await import('./read-sources.js');
      const { presentSource } = await import('./sources.schema.js');
      return { ...(await listSources(app, actor, page)), present: presentSource };
    },
    columns: [
      { title: 'id', value: ({ id }) => id },
      { title: 'name', value: ({ name }) => name },
      { title: 'policy', value: ({ policy }) => policy, spare: 2 },
      { title: 'last run', value: ({ lastRun }) => lastRun?.createdAt ?? null, time: 'minute' },
      {
        title: 'status',
        value: ({ isRunning, lastRun }) => (isRunning ? 'running' : (lastRun?.status ?? '')),
      },
      { title: 'next run', value: ({ nextRunAt }) => nextRunAt, time: 'minute', spare: 1 },
      { title: 'place', value: ({ place }) => place, flexible: true },
    ],
  });
}

function addShow(sources: CommandGroup): void {
  sources.add({
    name: 'show',
    description: 'show a source, its last run, and what that left out',
    arguments: [argument],
    answer,
    examples: ['assistant sources show handbook', 'assistant sources show handbook --json'],
    async run({ app, actor, out }, _options, called: string) {
      const { presentSource } = await import('./sources.schema.js');
      const { describeSource } = await import('./describe-source.js');
      const source = await findSource(app, actor, called);
      out.result(presentSource(source), printable(describeSource(source)));
      return 0;
    },
  });
}

function addCreate(sources: CommandGroup): void {
  const command = sources.add({
    name: 'create',
    description: 'create a source; with --every, a running server reads it',
    arguments: [['<name>', 'its name, and that of its documents in assistant ingest --source']],
    options: [
      ...options,
      ['--app <app>', `the app that the entries belong to (else the first): its ${named}`],
      ['--domain <domain>', 'the domain that the entries belong to'],
    ],
    consent: 'rehearses',
    answer,
    examples: [
      'assistant sources create handbook --site https://docs.example.com/guide/ --every 24h',
      'assistant sources create manuals --folder ./manuals --every 30m --policy publish_changes',
      'assistant sources create help --site https://help.example.com --include "/en/*" --exclude "*/archive/*"',
    ],
    async run(session, given: Options & { app?: string; domain?: string }, name: string) {
      const { app, actor } = session;
      const { createSource } = await import('./manage-sources.js');
      const { presentSource } = await import('./sources.schema.js');
      const { appIdNamed, hostNamed } = await import('../tenancy/name-site.js');
      const appId = await appIdNamed(app, actor, given.app);
      const domain = await hostNamed(app, actor, given.domain);
      const fields = await fieldsOf(session, given);
      return carryOut(session, given, {
        work: (app) => createSource(app, actor, { ...fields, name, appId, domain }),
        tell: (made) => [
          presentSource(made),
          `Created ${made.name}. ${made.everyMinutes === null ? 'Read it' : 'A running server reads it now. To read it here'} with: assistant sources run ${made.name}`,
        ],
      });
    },
  });
  command.command.addHelpText('after', patternsText);
}

function addEdit(sources: CommandGroup): void {
  sources.add({
    name: 'edit',
    description: 'change a source; given patterns replace the present ones',
    arguments: [argument],
    options: [...options, ['--name <name>', 'its new name, before its first run']],
    consent: 'rehearses',
    answer,
    examples: [
      'assistant sources edit handbook --every 7d',
      'assistant sources edit handbook --every never --policy review',
    ],
    async run(session, given: Options & { name?: string }, called: string) {
      const { app, actor } = session;
      const { updateSource } = await import('./manage-sources.js');
      const { presentSource } = await import('./sources.schema.js');
      const { id } = await findSource(app, actor, called);
      const change = { ...(await fieldsOf(session, given)), name: given.name };
      if (isUnchanged(change)) {
        const sentence = 'Say what to change, by an option: assistant sources edit --help';
        throw new AppError('usage', sentence);
      }
      return carryOut(session, given, {
        work: (app) => updateSource(app, actor, id, change),
        tell: (made) => [presentSource(made), `Changed ${made.name}.`],
      });
    },
  });
}

function addDelete(sources: CommandGroup): void {
  sources.change({
    name: 'delete',
    description: 'delete a source with the record of its runs; what was read of it stays',
    argument,
    answer: '{ id, name, deleted: true }',
    examples: ['assistant sources delete handbook --yes'],
    find: findSource,
    asks: ({ name }) => `Delete the source ${name}? Its documents and entries stay.`,
    work: async (app, actor, { id }) =>
      (await import('./manage-sources.js')).deleteSource(app, actor, id),
    tell: (_, { id, name }) => [{ id, name, deleted: true }, `Deleted ${name}.`],
  });
}

function addRun(sources: CommandGroup): void {
  sources.add({
    name: 'run',
    description: 'read a source now; with --dry-run, show what its website would bring',
    arguments: [argument],
    options: [
      ['--prune', 'also take back what is gone at the source, with any policy'],
      ['--dry-run', 'read the pages of a website, and store nothing (dry_run: true with --json)'],
    ],
    answer:
      'SourceRun; with --dry-run { dry_run: true, pages: [{ address, status, title }], left_out, left_out_counts, ended_by }; the exit code is 5 when something failed',
    examples: ['assistant sources run handbook', 'assistant sources run handbook --dry-run'],
    async run(
      session,
      given: { prune?: boolean; dryRun?: boolean; quiet?: boolean },
      called: string,
    ) {
      const { prune = false, dryRun = false } = given;
      const source = await findSource(session.app, session.actor, called);
      const { reportPreview, reportRun } = await import('./report-run.js');
      if (dryRun) {
        const { previewSource } = await import('./preview-source.js');
        return reportPreview(session, given, (reading) =>
          previewSource(session.app, session.actor, source.id, reading),
        );
      }
      const { runSourceNow } = await import('./run-source.js');
      return reportRun(session, { quiet: given.quiet, source }, (reading) =>
        runSourceNow(session.app, session.actor, source, { ...reading, prune, work: true }),
      );
    },
  });
}

async function fieldsOf({ app, actor }: Session, given: Options) {
  const { getUserNamed } = await import('../accounts/users/manage-users.js');
  const { reportTo } = given;
  return {
    reportTo:
      reportTo === undefined
        ? undefined
        : reportTo === 'nobody'
          ? null
          : (await getUserNamed(app, actor, reportTo, { whole: true })).id,
    address: given.site,
    folder: given.folder,
    everyMinutes: given.every === 0 ? null : given.every,
    policy: given.policy,
    visibility: given.visibility,
    include: given.include,
    exclude: given.exclude,
    depth: given.depth,
    mostPages: given.mostPages,
    requestsPerSecond: given.rate,
    render: given.render,
  };
}
