import type { Command } from 'commander';
import { visibilities, type Visibility } from '../platform/actor.js';
import { oneLine, oneOf, wholeNumber } from '../platform/cli/arguments.js';
import { isUnchanged } from '../platform/cli/ask-for-changes.js';
import { carryOut, withDryRun, type Consent } from '../platform/cli/carry-out.js';
import {
  withAnswer,
  withExamples,
  type Cli,
  type ExitCode,
  type Session,
} from '../platform/cli/cli.js';
import { minuteOf, showList, withPaging, type ListOptions } from '../platform/cli/list.js';
import { isInteractive, missingValue } from '../platform/cli/terminal.js';
import { statuses, type EntryStatus } from './entry.js';
import type { EntryUpdate } from './update-entry.js';

interface EditOptions extends Consent {
  title?: string;
  content?: string;
  file?: string;
  domain?: string | false;
  urlPattern?: string | false;
  view?: number | false;
  status?: EntryStatus;
  visibility?: Visibility | 'default';
}

const argument = 'its uuid or number';
const tiers = [...visibilities, 'default'] as const;

/** To the commands about knowledge. */
export function addEditEntry(knowledge: Command, cli: Cli): void {
  withExamples(
    withDryRun(
      withAnswer(knowledge.command('edit'), 'the entry, as GET /api/knowledge/:id answers it'),
    )
      .argument('<id>', argument)
      .description('change what is given of an entry; with nothing given, its text in $EDITOR')
      .option('--title <title>', 'what it is about', oneLine('--title', 500))
      .option('--content <text>', 'the text itself')
      .option('--file <file>', 'a file that holds the text')
      .option('--domain <host>', 'the host name that it belongs to')
      .option('--no-domain', 'it is of the whole app')
      .option('--url-pattern <pattern>', 'the pages that it is for, e.g. /invoices/:id or /docs/*')
      .option('--no-url-pattern', 'it is for all pages of its domain')
      .option('--view <id>', 'the view that it is bound to', wholeNumber('--view'))
      .option('--no-view', 'it is bound to no view')
      .option('--status <status>', statuses.join(' or '), oneOf('--status', statuses))
      .option(
        '--visibility <tier>',
        `${visibilities.join(', ')}; or default: what the app has as its default`,
        oneOf('--visibility', tiers),
      ),
    'assistant knowledge edit 12',
    'assistant knowledge edit 12 --status published --visibility internal',
    'assistant knowledge edit 0b5c0d6e-6f0f-4a54-9e0a-0d3b9a4f3c11 --file refunds.md --no-url-pattern',
  ).action(async (id: string, options: EditOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { app, actor, out } = session;
      const { getEntry } = await import('./read-entries.js');
      const { presentEntry } = await import('./knowledge.schema.js');
      const { updateEntry } = await import('./update-entry.js');
      const entry = await getEntry(app, actor, id);
      const given = await readChange(options);
      const waiting: string[] = [];
      const edit = (change: EntryUpdate) =>
        carryOut(session, options, {
          work: (app) => updateEntry(app, actor, id, change),
          tell: (changed) => {
            if (changed.appId === null && changed.domain !== null) waiting.push(changed.domain);
            const text =
              changed.version === entry.version
                ? `Nothing is different: ${changed.uuid} stays at version ${changed.version}.`
                : `Changed ${changed.uuid}: version ${changed.version}, ${changed.status}, ${changed.visibility}.`;
            return [presentEntry(changed), text];
          },
        });
      const code = isUnchanged({ ...given })
        ? await editByHand(session, id, edit)
        : await edit(given);
      for (const domain of waiting) {
        out.note(`No app claims ${domain} yet: the entry waits, unseen, until one does.`);
      }
      return code;
    });
  });
}

async function readChange(options: EditOptions): Promise<EntryUpdate> {
  const { title, domain, urlPattern, view, status, visibility } = options;
  const { readText } = await import('./read-text.js');
  return {
    title,
    content: options.file === undefined ? options.content : await readText(options.file),
    domain: domain === false ? null : domain,
    urlPattern: urlPattern === false ? null : urlPattern,
    viewId: view === false ? null : view,
    status,
    visibility: visibility === 'default' ? null : visibility,
  };
}

/** Refused where somebody else changed the entry while the editor was open. */
async function editByHand(
  { app, actor, terminal }: Session,
  id: string,
  edit: (change: EntryUpdate) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (!isInteractive(terminal)) {
    throw missingValue('an option such as --title, --file or --status', 'What to change');
  }
  const { editText } = await import('./edit-text.js');
  const { etagOf } = await import('./check-version.js');
  const { getEntry } = await import('./read-entries.js');
  const entry = await getEntry(app, actor, id);
  const ifMatch = etagOf(entry);
  return (await editText(entry, (text) => edit({ ...text, ifMatch }))) ?? edit({ ifMatch });
}

/** To the commands about knowledge. */
export function addHistory(knowledge: Command, cli: Cli): void {
  withExamples(
    withPaging(knowledge.command('history').argument('<id>', argument), 'versions').description(
      'list the previous versions of an entry, newest first; --json has their text',
    ),
    'assistant knowledge history 12',
    'assistant knowledge history 12 --json | jq -r ".data[0].content"',
  ).action(async (id: string, options: ListOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { getEntry, listHistory } = await import('./read-entries.js');
      const { presentVersion } = await import('./knowledge.schema.js');
      const { version } = await getEntry(app, actor, id);
      const { page, limit } = options;
      const code = showList(
        out,
        await listHistory(app, actor, { name: id, page, limit }),
        options,
        {
          things: 'previous versions',
          columns: [
            { title: 'version', value: (entry) => String(entry.version) },
            { title: 'made at', value: (entry) => minuteOf(entry.updatedAt) },
            { title: 'by', value: (entry) => entry.changedBy, flexible: true, spare: 3 },
            { title: 'status', value: (entry) => entry.status, spare: 2 },
            { title: 'tier', value: (entry) => entry.visibility, spare: 4 },
            { title: 'title', value: (entry) => entry.title, flexible: true },
            { title: 'text', value: (entry) => entry.content, flexible: true, spare: 1 },
          ],
          present: presentVersion,
        },
      );
      out.note(`The present one is version ${version}.`);
      return code;
    });
  });
}
