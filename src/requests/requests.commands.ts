import type { Command } from 'commander';
import { visibilities, type Visibility } from '../platform/actor.js';
import { oneOf, wholeNumber } from '../platform/cli/arguments.js';
import { carryOut, withConsent, withDryRun, type Consent } from '../platform/cli/carry-out.js';
import { withExamples, type Cli } from '../platform/cli/cli.js';
import { minuteOf, showList, withPaging, type ListOptions } from '../platform/cli/list.js';
import { askFor } from '../platform/cli/prompts.js';
import { printable } from '../platform/cli/terminal.js';
import { requestStatuses, type RequestStatus } from './request.js';

interface RequestListOptions extends ListOptions {
  status?: RequestStatus;
}

interface ResolveOptions extends Consent {
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
    withPaging(requests.command('list'), 'requests')
      .description('list requests, newest first')
      .option('--status <status>', requestStatuses.join(', '), oneOf('--status', requestStatuses)),
    'assistant requests list --status open',
  ).action(async (options: RequestListOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listRequests } = await import('./read-requests.js');
      const { presentRequest } = await import('./requests.schema.js');
      return showList(out, await listRequests(app, actor, options), options, {
        things: 'requests',
        columns: [
          { title: 'id', value: (one) => String(one.id) },
          { title: 'status', value: (one) => one.status },
          { title: 'filed', value: (one) => minuteOf(one.createdAt) },
          {
            title: 'by',
            value: (one) => one.requester?.name ?? one.requester?.kind ?? '',
            flexible: true,
            spare: 1,
          },
          { title: 'question', value: (one) => one.question, flexible: true },
        ],
        present: presentRequest,
      });
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
      const { presentRequest } = await import('./requests.schema.js');
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
    withDryRun(
      requests
        .command('resolve')
        .argument('<id>', 'the number of the request', wholeNumber('<id>')),
    )
      .description('answer a request; the person who asked is told')
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
      const { presentRequest } = await import('./requests.schema.js');
      const { updateRequest } = await import('./update-request.js');
      const { app, actor } = session;
      const request = await getRequest(app, actor, id);
      const response = await askFor(session.terminal, options.response ?? request.response ?? '', {
        option: '--response',
        what: `Answer to "${printable(request.question)}"`,
      });
      const { publish, domain, urlPattern, title, visibility } = options;
      const entry = { publish, domain, urlPattern, title, visibility };
      return carryOut(session, options, {
        work: (app) => updateRequest(app, actor, id, { ...entry, response, status: 'resolved' }),
        tell: (resolved) => {
          const { entryUuid } = resolved;
          const published = entryUuid === null ? '' : `, published as entry ${entryUuid}`;
          return [presentRequest(resolved), `Resolved request ${id}${published}.`];
        },
      });
    });
  });
}

function addDismiss(requests: Command, cli: Cli): void {
  withExamples(
    withConsent(
      requests
        .command('dismiss')
        .argument('<id>', 'the number of the request', wholeNumber('<id>')),
    ).description('close a request without an answer; nobody is told'),
    'assistant requests dismiss 17 --yes',
  ).action(async (id: number, options: Consent, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { getRequest } = await import('./read-requests.js');
      const { presentRequest } = await import('./requests.schema.js');
      const { question } = await getRequest(session.app, session.actor, id);
      const { updateRequest } = await import('./update-request.js');
      return carryOut(session, options, {
        question: `Dismiss "${printable(question)}"?`,
        work: (app) => updateRequest(app, session.actor, id, { status: 'dismissed' }),
        tell: (request) => [presentRequest(request), `Dismissed request ${id}.`],
      });
    });
  });
}
