import { languages, type Language } from '../language/language-pack.js';
import type { Visibility } from '../platform/actor.js';
import { oneOf } from '../platform/cli/arguments.js';
import type { CommandGroup } from '../platform/cli/command-group.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';
import { askFor } from '../platform/cli/prompts.js';
import { printable } from '../platform/text/printable.js';
import type { Page } from '../platform/db/select-page.js';
import {
  addEditEntry,
  addHistory,
  entryArgument,
  ofDomain,
  ofStatus,
  ofTier,
  waitingNotes,
} from './edit-entry.commands.js';
import type { Entry, EntryStatus } from './entry.js';

interface Filter extends Page {
  status?: EntryStatus;
  visibility?: Visibility;
  domain?: string;
  language?: Language;
  document?: string;
  unused?: true;
}

interface CreateOptions extends Consent {
  title?: string;
  domain?: string | false;
  content?: string;
  file?: string;
  urlPattern?: string;
  status: EntryStatus;
  visibility?: Visibility;
}

export function addKnowledgeCommands(program: CommandGroup): CommandGroup {
  const knowledge = program.group('knowledge', 'the entries that answers come from');
  addList(knowledge);
  addShow(knowledge);
  addCreate(knowledge);
  addEditEntry(knowledge);
  addHistory(knowledge);
  addDelete(knowledge);
  return knowledge;
}

function addList(knowledge: CommandGroup): void {
  knowledge.list({
    things: 'entries',
    description: 'list entries, oldest first',
    first: 'Make some with: assistant ingest <file>, or assistant knowledge create',
    options: [
      ofStatus,
      ofTier,
      ofDomain,
      [
        '--language <language>',
        `only entries in this language: ${languages.join(', ')}`,
        oneOf('--language', languages),
      ],
      [
        '--document <file>',
        'only entries from files whose name has this part, or from the batch of this id',
      ],
      ['--unused', 'only entries that no stored answer cites'],
    ],
    examples: [
      'assistant knowledge list --status draft',
      'assistant knowledge list --status published --unused',
      'assistant knowledge list --document handbook.pdf --language de',
      'assistant knowledge list --domain docs.example.com --json | jq .pagination.total',
    ],
    async load({ app, actor }, { unused, ...filter }: Filter) {
      const { listEntries } = await import('./read-entries.js');
      const { presentEntry } = await import('./knowledge.schema.js');
      const { hostNamed } = await import('../tenancy/name-site.js');
      const domain = await hostNamed(app, actor, filter.domain);
      const used = unused === true ? false : undefined;
      const listed = await listEntries(app, actor, { ...filter, domain, used });
      return { ...listed, present: presentEntry };
    },
    columns: [
      { title: 'id', value: ({ uuid }) => uuid },
      { title: 'status', value: ({ status }) => status },
      { title: 'tier', value: ({ visibility }) => visibility, spare: 1 },
      { title: 'where', value: placeOf, flexible: true, spare: 2 },
      { title: 'title', value: ({ title }) => title, flexible: true, cut: 'start' },
    ],
  });
}

function addShow(knowledge: CommandGroup): void {
  knowledge.add({
    name: 'show',
    description: 'show one entry',
    arguments: [entryArgument],
    answer: 'KnowledgeEntry',
    examples: ['assistant knowledge show 12', 'assistant knowledge show 0b5c0d6e --json'],
    async run({ app, actor, out }, _options, called: string) {
      const { getEntryNamed } = await import('./read-entries.js');
      const { presentEntry } = await import('./knowledge.schema.js');
      const entry = await getEntryNamed(app, actor, called);
      const { pageFrom: from, pageTo: to } = entry;
      const hasMore = to !== null && to !== from;
      const pages = from === null ? '' : hasMore ? `, pages ${from}-${to}` : `, page ${from}`;
      const head = `${entry.title}\n${entry.status}, ${entry.visibility}, ${placeOf(entry)}${pages}`;
      out.result(presentEntry(entry), printable(`${head}\n\n${entry.content}`));
      return 0;
    },
  });
}

function addCreate(knowledge: CommandGroup): void {
  knowledge.add({
    name: 'create',
    formerly: ['add'],
    description: 'create an entry by hand',
    options: [
      ['--title <title>', 'the title'],
      ['--domain <domain>', 'the host name that the entry belongs to'],
      ['--no-domain', 'the entry belongs to the whole app, the first one'],
      ['--content <text>', 'the text itself'],
      ['--file <file>', 'a file that holds the text'],
      ['--url-pattern <pattern>', 'a path pattern, e.g. /invoices/:id or /docs/*'],
      [ofStatus[0], ofStatus[1], ofStatus[2], 'draft'],
      ofTier,
    ],
    consent: 'rehearses',
    answer: 'KnowledgeEntry',
    examples: [
      'assistant knowledge create --title "Opening hours" --domain example.com --content "We open at 9." --status published',
      'assistant knowledge create --title Refunds --domain example.com --file refunds.md --url-pattern /shop/*',
    ],
    async run(session, options: CreateOptions) {
      const { app, actor, terminal } = session;
      const { createEntry } = await import('./create-entry.js');
      const { presentEntry } = await import('./knowledge.schema.js');
      const { readText } = await import('./edit-text.js');
      const { hostNamed } = await import('../tenancy/name-site.js');
      const title = await askFor(terminal, options.title, { option: '--title', what: 'Title' });
      const asked = { option: '--domain', what: 'Domain' };
      const domain =
        options.domain === false
          ? null
          : await hostNamed(app, actor, await askFor(terminal, options.domain, asked));
      const given = options.file === undefined ? options.content : await readText(options.file);
      const content = await askFor(terminal, given, {
        option: '--content or --file',
        what: 'Text',
      });
      const { urlPattern, status, visibility } = options;
      const input = { title, domain, content, urlPattern, status, visibility };
      return carryOut(session, options, {
        work: (app) => createEntry(app, actor, input),
        tell: (entry) => [presentEntry(entry), `Created ${entry.uuid} as ${entry.status}.`],
        notes: waitingNotes,
      });
    },
  });
}

function addDelete(knowledge: CommandGroup): void {
  knowledge.change({
    name: 'delete',
    description: 'delete an entry; answers stop using it at once',
    argument: entryArgument,
    answer: '{ id, deleted }',
    examples: ['assistant knowledge delete 0b5c0d6e-6f0f-4a54-9e0a-0d3b9a4f3c11 --yes'],
    find: async (app, actor, called) =>
      (await import('./read-entries.js')).getEntryNamed(app, actor, called),
    asks: ({ title }) => `Delete "${title}"?`,
    work: async (app, actor, { uuid }) =>
      (await import('./delete-entry.js')).deleteEntry(app, actor, uuid),
    tell: (_, { uuid }) => [{ id: uuid, deleted: true }, `Deleted ${uuid}.`],
  });
}

function placeOf({ domain, urlPattern }: Entry): string {
  return `${domain ?? '(app)'}${urlPattern ?? ''}`;
}
