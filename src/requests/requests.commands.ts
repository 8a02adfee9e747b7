import { visibilities, type Visibility } from '../platform/actor.js';
import type { Argument, CommandGroup } from '../platform/cli/command-group.js';
import { oneOf, wholeNumber } from '../platform/cli/arguments.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';
import { askFor } from '../platform/cli/prompts.js';
import { printable } from '../platform/cli/terminal.js';
import type { Page } from '../platform/db/select-page.js';
import { requestStatuses, type RequestStatus } from './request.js';

interface ResolveOptions extends Consent {
  response?: string;
  publish?: boolean;
  domain?: string;
  urlPattern?: string;
  title?: string;
  visibility?: Visibility;
}

const argument: Argument = ['<id>', 'the number of the request', wholeNumber('<id>')];

export function addRequestCommands(program: CommandGroup): void {
  const description = 'questions that the knowledge did not answer';
  const requests = program.group('requests', description);
  addList(requests);
  addShow(requests);
  addResolve(requests);
  addDismiss(requests);
}

function addList(requests: CommandGroup): void {
  requests.list({
    things: 'requests',
    description: 'list requests, newest first',
    options: [
      ['--status <status>', requestStatuses.join(', '), oneOf('--status', requestStatuses)],
    ],
    examples: ['assistant requests list --status open'],
    async load({ app, actor }, filter: Page & { status?: RequestStatus }) {
      const { listRequests } = await import('./read-requests.js');
      const { presentRequest } = await import('./requests.schema.js');
      return { ...(await listRequests(app, actor, filter)), present: presentRequest };
    },
    columns: [
      { title: 'id', value: ({ id }) => id },
      { title: 'status', value: ({ status }) => status },
      { title: 'filed', value: ({ createdAt }) => createdAt, time: 'minute' },
      {
        title: 'by',
        value: ({ requester }) => requester?.name ?? requester?.kind ?? '',
        flexible: true,
        spare: 1,
      },
      { title: 'question', value: ({ question }) => question, flexible: true },
    ],
  });
}

function addShow(requests: CommandGroup): void {
  requests.add({
    name: 'show',
    description: 'show one request',
    arguments: [argument],
    answer: 'KnowledgeRequest',
    examples: ['assistant requests show 17'],
    async run({ app, actor, out }, _options, id: number) {
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
    },
  });
}

function addResolve(requests: CommandGroup): void {
  requests.add({
    name: 'resolve',
    description: 'answer a request; the person who asked is notified',
    arguments: [argument],
    options: [
      ['--response <text>', 'the answer'],
      ['--publish', 'also make the answer a published entry'],
      ['--domain <domain>', 'of that entry (else the domain of the request’s page)'],
      ['--url-pattern <pattern>', 'of that entry (else the whole domain)'],
      ['--title <title>', 'of that entry (else the question)'],
      [
        '--visibility <tier>',
        'of that entry (else the app’s default)',
        oneOf('--visibility', visibilities),
      ],
    ],
    consent: 'rehearses',
    answer: 'KnowledgeRequest',
    examples: [
      'assistant requests resolve 17 --response "In the cellar."',
      'assistant requests resolve 17 --response "In the cellar." --publish --domain docs.example.com',
    ],
    async run(session, options: ResolveOptions, id: number) {
      const { getRequest } = await import('./read-requests.js');
      const { presentRequest } = await import('./requests.schema.js');
      const { updateRequest } = await import('./update-request.js');
      const { hostNamed } = await import('../tenancy/name-site.js');
      const { app, actor } = session;
      const request = await getRequest(app, actor, id);
      const response = await askFor(session.terminal, options.response ?? request.response ?? '', {
        option: '--response',
        what: `Answer to "${printable(request.question)}"`,
      });
      const { publish, urlPattern, title, visibility } = options;
      const domain = await hostNamed(app, actor, options.domain);
      const entry = { publish, domain, urlPattern, title, visibility };
      return carryOut(session, options, {
        work: (app) => updateRequest(app, actor, id, { ...entry, response, status: 'resolved' }),
        tell: (resolved) => {
          const { entryUuid } = resolved;
          const published = entryUuid === null ? '' : `, published as entry ${entryUuid}`;
          return [presentRequest(resolved), `Resolved request ${id}${published}.`];
        },
      });
    },
  });
}

function addDismiss(requests: CommandGroup): void {
  requests.change({
    name: 'dismiss',
    description: 'close a request without an answer; the person who asked is not notified',
    argument,
    answer: 'KnowledgeRequest',
    examples: ['assistant requests dismiss 17 --yes'],
    find: async (app, actor, id) =>
      (await import('./read-requests.js')).getRequest(app, actor, Number(id)),
    asks: ({ question }) => `Dismiss "${question}"?`,
    work: async (app, actor, { id }) =>
      (await import('./update-request.js')).updateRequest(app, actor, id, { status: 'dismissed' }),
    async tell(request) {
      const { presentRequest } = await import('./requests.schema.js');
      return [presentRequest(request), `Dismissed request ${request.id}.`];
    },
  });
}
