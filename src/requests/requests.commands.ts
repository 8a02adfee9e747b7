import type { Command } from 'commander';
import { visibilities, type Visibility } from '../platform/actor.js';
import { oneOf, wholeNumber } from '../platform/cli/arguments.js';
import { withExamples, type Cli, type Session } from '../platform/cli/cli.js';
import { askFor, confirm } from '../platform/cli/prompts.js';
import { table } from '../platform/cli/table.js';
import { printable } from '../platform/cli/terminal.js';
import type { ShownRequest } from './read-requests.js';
import { requestStatuses, type RequestStatus } from './request.js';
import { presentRequest } from './requests.schema.js';

interface ListOptions {
  status?: RequestStatus;
  page: number;
  limit: number;
}

interface ResolveOptions {
  response?: string;
  publish?: boolean;
  domain?: string;
  urlPattern?: string;
  title?: string;
  visibility?: Visibility;
}

export function addRequestCommands(program: Command, cli: Cli): void {
  const requests = program
    .command('requests')
    .description('questions that the knowledge did not answer');
  addList(requests, cli);
  addShow(requests, cli);
  addResolve(requests, cli);
  addDismiss(requests, cli);
}

function addList(requests: Command, cli: Cli): void {
  withExamples(
    requests
      .command('list')
      .description('list requests, newest first')
      .option('--status <status>', requestStatuses.join(', '), oneOf('--status', requestStatuses))
      .option('--page <number>', 'from 1', wholeNumber('--page'), 1)
      .option('--limit <number>', 'requests per page', wholeNumber('--limit'), 20),
    'assistant requests list --status open',
  ).action(async (options: ListOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listRequests } = await import('./read-requests.js');
      const { items, total } = await listRequests(app, actor, options);
      const text = table(
        [
          { title: 'id', value: (one) => String(one.id) },
          { title: 'status', value: (one) => one.status },
          { title: 'filed', value: (one) => one.createdAt.slice(0, 16).replace('T', ' ') },
          { title: 'by', value: (one) => one.requester?.name ?? one.requester?.kind ?? '' },
          { title: 'question', value: (one) => one.question, flexible: true },
        ],
        items,
        out.width,
      );
      const { page, limit } = options;
      out.result({ data: items.map(presentRequest), pagination: { total, page, limit } }, text);
      out.note(`${items.length} of ${total} requests`);
      return 0;
    });
  });
}

function addShow(requests: Command, cli: Cli): void {
  withExamples(
    requests
      .command('show')
      .argument('<id>', 'the number of the request', wholeNumber('<id>'))
      .description('show one request'),
    'assistant requests show 17',
  ).action(async (id: number, _options: unknown, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { getRequest } = await import('./read-requests.js');
      const request = await getRequest(app, actor, id);
      const facts = [
        `Request ${request.id}: ${request.status}, filed ${request.createdAt}`,
        ...(request.url === null ? [] : [`about ${request.url}`]),
        '',
        request.question,
        ...(request.response === null ? [] : ['', 'Answer:', request.response]),
      ];
      out.result(presentRequest(request), printable(facts.join('\n')));
      return 0;
    });
  });
}

function addResolve(requests: Command, cli: Cli): void {
  withExamples(
    requests
      .command('resolve')
      .argument('<id>', 'the number of the request', wholeNumber('<id>'))
      .description('answer a request; whoever asked is told')
      .option('--response <text>', 'the answer')
      .option('--publish', 'also make the answer a published entry')
      .option('--domain <host>', 'of that entry (else the domain of the request’s page)')
      .option('--url-pattern <pattern>', 'of that entry (else the whole domain)')
      .option('--title <title>', 'of that entry (else the question)')
      .option(
        '--visibility <tier>',
        'of that entry (else the app’s default)',
        oneOf('--visibility', visibilities),
      ),
    'assistant requests resolve 17 --response "In the cellar."',
    'assistant requests resolve 17 --response "In the cellar." --publish --domain docs.example.com',
  ).action(async (id: number, options: ResolveOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { getRequest } = await import('./read-requests.js');
      const request = await getRequest(session.app, session.actor, id);
      const response = await askFor(session.terminal, options.response ?? request.response ?? '', {
        option: '--response',
        what: `Answer to "${printable(request.question)}"`,
      });
      await update(session, id, { ...options, response, status: 'resolved' }, 'Resolved');
      return 0;
    });
  });
}

function addDismiss(requests: Command, cli: Cli): void {
  withExamples(
    requests
      .command('dismiss')
      .argument('<id>', 'the number of the request', wholeNumber('<id>'))
      .description('close a request without an answer; nobody is told')
      .option('--yes', 'do not ask'),
    'assistant requests dismiss 17 --yes',
  ).action(async (id: number, options: { yes?: boolean }, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { getRequest } = await import('./read-requests.js');
      const { question } = await getRequest(session.app, session.actor, id);
      const text = `Dismiss "${printable(question)}"?`;
      if (!(await confirm(session.terminal, options.yes, text))) {
        session.out.note('Nothing was changed.');
        return 1;
      }
      await update(session, id, { status: 'dismissed' }, 'Dismissed');
      return 0;
    });
  });
}

async function update(
  { app, actor, out }: Session,
  id: number,
  change: ResolveOptions & { status: RequestStatus },
  done: string,
): Promise<ShownRequest> {
  const { updateRequest } = await import('./update-request.js');
  const request = await updateRequest(app, actor, id, change);
  const published = request.entryUuid === null ? '' : `, published as entry ${request.entryUuid}`;
  out.result(presentRequest(request), `${done} request ${id}${published}.`);
  return request;
}
