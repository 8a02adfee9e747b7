import { visibilities, type Visibility } from '../platform/actor.js';
import type { Argument, CommandGroup, Option } from '../platform/cli/command-group.js';
import { oneLine, oneOf } from '../platform/cli/arguments.js';
import { isUnchanged } from '../platform/cli/ask-for-changes.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';
import type { ExitCode, Session } from '../platform/cli/cli.js';
import { isInteractive, missingValue } from '../platform/cli/terminal.js';
import type { Page } from '../platform/db/select-page.js';
import { statuses, type Entry, type EntryStatus } from './entry.js';
import type { EntryUpdate } from './update-entry.js';

interface EditOptions extends Consent {
  title?: string;
  content?: string;
  file?: string;
  domain?: string | false;
  urlPattern?: string | false;
  view?: string | false;
  status?: EntryStatus;
  visibility?: Visibility | 'default';
}

export const entryArgument: Argument = [
  '<entry>',
  'its number, id, title, or the beginning of its id',
];
export const ofStatus: Option = [
  '--status <status>',
  statuses.join(' or '),
  oneOf('--status', statuses),
];
export const ofTier: Option = [
  '--visibility <tier>',
  visibilities.join(', '),
  oneOf('--visibility', visibilities),
];
export const ofDomain: Option = [
  '--domain <domain>',
  'only entries of this domain: host name, number, or the beginning of the host name up to a dot',
];

const tiers = [...visibilities, 'default'] as const;

export function addEditEntry(knowledge: CommandGroup): void {
  knowledge.add({
    name: 'edit',
    description: 'change the given fields of an entry; without options, edit its text in $EDITOR',
    arguments: [entryArgument],
    options: [
      ['--title <title>', 'the title', oneLine('--title', 500)],
      ['--content <text>', 'the text itself'],
      ['--file <file>', 'a file that holds the text'],
      ['--domain <domain>', 'the host name that the entry belongs to'],
      ['--no-domain', 'the entry belongs to the whole app'],
      ['--url-pattern <pattern>', 'the pages of the entry, e.g. /invoices/:id or /docs/*'],
      ['--no-url-pattern', 'the entry is for all pages of its domain'],
      ['--view <view>', 'the view of the entry: number or path'],
      ['--no-view', 'the entry is bound to no view'],
      ofStatus,
      [
        '--visibility <tier>',
        `${visibilities.join(', ')}; or default, for the app’s default`,
        oneOf('--visibility', tiers),
      ],
    ],
    consent: 'rehearses',
    answer: 'the entry, as GET /api/knowledge/:id answers it',
    examples: [
      'assistant knowledge edit 12',
      'assistant knowledge edit 12 --status published --visibility internal',
      'assistant knowledge edit 0b5c0d6e --file refunds.md --no-url-pattern',
    ],
    async run(session, options: EditOptions, called: string) {
      const { app, actor } = session;
      const { getEntryNamed } = await import('./read-entries.js');
      const { presentEntry } = await import('./knowledge.schema.js');
      const { updateEntry } = await import('./update-entry.js');
      const entry = await getEntryNamed(app, actor, called);
      const given = await readChange(session, options);
      const edit = (change: EntryUpdate) =>
        carryOut(session, options, {
          work: (app) => updateEntry(app, actor, entry.uuid, change),
          tell: (changed) => {
            const text =
              changed.version === entry.version
                ? `Nothing is different: ${changed.uuid} stays at version ${changed.version}.`
                : `Changed ${changed.uuid}: version ${changed.version}, ${changed.status}, ${changed.visibility}.`;
            return [presentEntry(changed), text];
          },
          notes: waitingNotes,
        });
      return isUnchanged({ ...given }) ? editByHand(session, entry, edit) : edit(given);
    },
  });
}

async function readChange({ app, actor }: Session, options: EditOptions): Promise<EntryUpdate> {
  const { title, domain, urlPattern, view, status, visibility } = options;
  const { readText } = await import('./edit-text.js');
  const { getViewNamed, hostNamed } = await import('../tenancy/name-site.js');
  return {
    title,
    content: options.file === undefined ? options.content : await readText(options.file),
    domain: domain === false ? null : await hostNamed(app, actor, domain),
    urlPattern: urlPattern === false ? null : urlPattern,
    viewId:
      typeof view === 'string'
        ? (await getViewNamed(app, actor, view)).id
        : view === false
          ? null
          : undefined,
    status,
    visibility: visibility === 'default' ? null : visibility,
  };
}

/** Refused when somebody else changed the entry while the editor was open. */
async function editByHand(
  { terminal }: Session,
  entry: Entry,
  edit: (change: EntryUpdate) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (!isInteractive(terminal)) {
    throw missingValue('an option such as --title, --file or --status', 'What to change');
  }
  const { editText } = await import('./edit-text.js');
  const { etagOf } = await import('./entry.js');
  const ifMatch = etagOf(entry);
  return (await editText(entry, (text) => edit({ ...text, ifMatch }))) ?? edit({ ifMatch });
}

export function addHistory(knowledge: CommandGroup): void {
  knowledge.list({
    name: 'history',
    things: 'previous versions',
    description: 'list the previous versions of an entry, newest first; --json includes their text',
    arguments: [entryArgument],
    examples: [
      'assistant knowledge history 12',
      'assistant knowledge history 12 --json | jq -r ".data[0].content"',
    ],
    async load({ app, actor }, { page, limit }: Page, called: string) {
      const { getEntryNamed, listHistory } = await import('./read-entries.js');
      const { presentVersion } = await import('./knowledge.schema.js');
      const { uuid, version } = await getEntryNamed(app, actor, called);
      const found = await listHistory(app, actor, { name: uuid, page, limit });
      return {
        ...found,
        present: presentVersion,
        notes: [`The present one is version ${version}.`],
      };
    },
    columns: [
      { title: 'version', value: ({ version }) => version },
      { title: 'made', value: ({ updatedAt }) => updatedAt, time: 'minute' },
      { title: 'by', value: ({ changedBy }) => changedBy, flexible: true, spare: 3 },
      { title: 'status', value: ({ status }) => status, spare: 2 },
      { title: 'tier', value: ({ visibility }) => visibility, spare: 4 },
      { title: 'title', value: ({ title }) => title, flexible: true },
      { title: 'text', value: ({ content }) => content, flexible: true, spare: 1 },
    ],
  });
}

/** The remark on an entry whose domain nobody has registered. */
export function waitingNotes({ appId, domain }: Entry): string[] {
  if (appId !== null || domain === null) return [];
  return [`No app claims ${domain} yet: the entry stays hidden until one does.`];
}
