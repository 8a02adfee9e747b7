import type { Command } from 'commander';
import { visibilities, type Visibility } from '../platform/actor.js';
import { oneOf } from '../platform/cli/arguments.js';
import { carryOut, withConsent, withDryRun, type Consent } from '../platform/cli/carry-out.js';
import { withExamples, type AddCommands, type Cli } from '../platform/cli/cli.js';
import { showList, withPaging, type ListOptions } from '../platform/cli/list.js';
import { askFor } from '../platform/cli/prompts.js';
import { printable } from '../platform/cli/terminal.js';
import { addEditEntry, addHistory } from './edit-entry.commands.js';
import { statuses, type EntryStatus } from './entry.js';

interface EntryListOptions extends ListOptions {
  status?: EntryStatus;
  visibility?: Visibility;
  domain?: string;
}

interface AddOptions extends Consent {
  title?: string;
  domain?: string | false;
  content?: string;
  file?: string;
  urlPattern?: string;
  status: EntryStatus;
  visibility?: Visibility;
}

/** `addFurther` adds those of the rooms above this one. */
export function addKnowledgeCommands(
  program: Command,
  cli: Cli,
  addFurther: readonly AddCommands[] = [],
): void {
  const knowledge = program.command('knowledge').description('what the assistant answers from');
  addList(knowledge, cli);
  addShow(knowledge, cli);
  addAdd(knowledge, cli);
  addEditEntry(knowledge, cli);
  addHistory(knowledge, cli);
  addDelete(knowledge, cli);
  for (const add of addFurther) add(knowledge, cli);
}

function addList(knowledge: Command, cli: Cli): void {
  withExamples(
    withPaging(knowledge.command('list'), 'entries')
      .description('list entries, oldest first')
      .option('--status <status>', statuses.join(' or '), oneOf('--status', statuses))
      .option('--visibility <tier>', visibilities.join(', '), oneOf('--visibility', visibilities))
      .option('--domain <host>', 'only of this domain'),
    'assistant knowledge list --status draft',
    'assistant knowledge list --domain docs.example.com --json | jq .pagination.total',
  ).action(async (options: EntryListOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listEntries } = await import('./read-entries.js');
      const { presentEntry } = await import('./knowledge.schema.js');
      return showList(out, await listEntries(app, actor, options), options, {
        things: 'entries',
        columns: [
          { title: 'id', value: (entry) => entry.uuid },
          { title: 'status', value: (entry) => entry.status },
          { title: 'tier', value: (entry) => entry.visibility, spare: 1 },
          {
            title: 'where',
            value: (entry) => `${entry.domain ?? '(app)'}${entry.urlPattern ?? ''}`,
            flexible: true,
            spare: 2,
          },
          { title: 'title', value: (entry) => entry.title, flexible: true, cut: 'start' },
        ],
        present: presentEntry,
      });
    });
  });
}

function addShow(knowledge: Command, cli: Cli): void {
  withExamples(
    knowledge.command('show').argument('<id>', 'its uuid or number').description('show one entry'),
    'assistant knowledge show 0b5c0d6e-6f0f-4a54-9e0a-0d3b9a4f3c11',
  ).action(async (id: string, _options: unknown, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { getEntry } = await import('./read-entries.js');
      const { presentEntry } = await import('./knowledge.schema.js');
      const entry = await getEntry(app, actor, id);
      const where = `${entry.domain ?? '(app)'}${entry.urlPattern ?? ''}`;
      const pages =
        entry.pageFrom === null
          ? ''
          : `, pages ${entry.pageFrom}-${entry.pageTo ?? entry.pageFrom}`;
      const head = `${entry.title}\n${entry.status}, ${entry.visibility}, ${where}${pages}`;
      out.result(presentEntry(entry), printable(`${head}\n\n${entry.content}`));
      return 0;
    });
  });
}

function addAdd(knowledge: Command, cli: Cli): void {
  withExamples(
    withDryRun(knowledge.command('add'))
      .description('add an entry by hand')
      .option('--title <title>', 'what it is about')
      .option('--domain <host>', 'the host name that it belongs to')
      .option('--no-domain', 'it is of the whole app, the first one')
      .option('--content <text>', 'the text itself')
      .option('--file <file>', 'a file that holds the text')
      .option('--url-pattern <pattern>', 'a path pattern, e.g. /invoices/:id or /docs/*')
      .option('--status <status>', statuses.join(' or '), oneOf('--status', statuses), 'draft')
      .option('--visibility <tier>', visibilities.join(', '), oneOf('--visibility', visibilities)),
    'assistant knowledge add --title "Opening hours" --domain example.com --content "We open at 9." --status published',
    'assistant knowledge add --title Refunds --domain example.com --file refunds.md --url-pattern /shop/*',
  ).action(async (options: AddOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { actor, out, terminal } = session;
      const { createEntry } = await import('./create-entry.js');
      const { presentEntry } = await import('./knowledge.schema.js');
      const { readText } = await import('./read-text.js');
      const title = await askFor(terminal, options.title, { option: '--title', what: 'Title' });
      const asked = { option: '--domain', what: 'Domain' };
      const domain =
        options.domain === false ? null : await askFor(terminal, options.domain, asked);
      const given = options.file === undefined ? options.content : await readText(options.file);
      const content = await askFor(terminal, given, {
        option: '--content or --file',
        what: 'Text',
      });
      const { urlPattern, status, visibility } = options;
      const input = { title, domain, content, urlPattern, status, visibility };
      const waiting: string[] = [];
      const code = await carryOut(session, options, {
        work: (app) => createEntry(app, actor, input),
        tell: (entry) => {
          if (entry.appId === null && entry.domain !== null) waiting.push(entry.domain);
          return [presentEntry(entry), `Added ${entry.uuid} as ${entry.status}.`];
        },
      });
      for (const host of waiting) {
        out.note(`No app claims ${host} yet: the entry waits, unseen, until one does.`);
      }
      return code;
    });
  });
}

function addDelete(knowledge: Command, cli: Cli): void {
  withExamples(
    withConsent(knowledge.command('delete').argument('<id>', 'its uuid or number')).description(
      'delete an entry, from answers at once',
    ),
    'assistant knowledge delete 0b5c0d6e-6f0f-4a54-9e0a-0d3b9a4f3c11 --yes',
  ).action(async (id: string, options: Consent, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { getEntry } = await import('./read-entries.js');
      const { deleteEntry } = await import('./delete-entry.js');
      const { title } = await getEntry(session.app, session.actor, id);
      return carryOut(session, options, {
        question: `Delete "${printable(title)}"?`,
        work: (app) => deleteEntry(app, session.actor, id),
        tell: () => [{ id, deleted: true }, `Deleted ${id}.`],
      });
    });
  });
}
