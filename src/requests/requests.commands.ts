import { visibilities, type Visibility } from '../platform/actor.js';
import type { Argument, CommandGroup } from '../platform/cli/command-group.js';
import { oneOf, wholeNumber } from '../platform/cli/arguments.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';
import type { Session } from '../platform/cli/cli.js';
import { askFor, confirm } from '../platform/cli/prompts.js';
import { isInteractive } from '../platform/cli/terminal.js';
import { printable } from '../platform/text/printable.js';
import type { Page } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import type { ShownRequest } from './read-requests.js';
import { requestStatuses, type RequestStatus } from './request.js';

interface ResolveOptions extends Consent {
  response?: string;
  publish?: boolean;
  domain?: string;
  urlPattern?: string;
  title?: string;
  visibility?: Visibility;
  again?: boolean;
}

interface CreateOptions {
  url?: string;
  conversation?: string;
  email?: string;
}

const argument: Argument = ['<request>', 'its number', wholeNumber('<request>')];

/**
 * Whether an answer may replace an earlier one: --again allows it, or the person at the terminal. Errors: `conflict`
 * when nobody can be asked.
 */
async function mayReplace(
  { terminal, out }: Session,
  { again, dryRun }: ResolveOptions,
  { id, response }: ShownRequest,
): Promise<boolean> {
  if (again === true || dryRun === true) return true;
  if (!isInteractive(terminal)) {
    const sentence = `Request ${id} is resolved already. Add --again to replace its answer.`;
    throw new AppError('conflict', sentence);
  }
  out.note(`Request ${id} is resolved already:\n${response ?? ''}`);
  if (await confirm(terminal, undefined, 'Replace this answer, and notify the person again?')) {
    return true;
  }
  out.note('Nothing was changed.');
  return false;
}

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
    name: 'create',
    description: 'send a question to the operators, as people do when they get no answer',
    arguments: [['<question...>', '']],
    options: [
      ['--url <url>', 'the page that the question is about'],
      ['--conversation <id>', 'the conversation that did not answer it'],
      ['--email <address>', 'the address to send the answer to'],
    ],
    answer: 'KnowledgeRequest, with duplicate: true for a question that waits already',
    examples: ['assistant requests create "Where is the pump?" --email ann@example.com'],
    async run({ app, actor, out }, options: CreateOptions, words: string[]) {
      const { fileRequest } = await import('./file-request.js');
      const { presentRequest } = await import('./requests.schema.js');
      const { url, conversation: conversationId, email } = options;
      const { checkEmail } = await import('../accounts/users/create-user.js');
      if (email !== undefined) checkEmail(email);
      const input = { question: words.join(' '), url, conversationId, email };
      const filed = await fileRequest(app, actor, input);
      const { duplicate, id } = filed;
      const text = duplicate ? `Request ${id} asks this already.` : `Created request ${id}.`;
      out.result({ ...presentRequest(filed), duplicate }, text);
      return 0;
    },
  });
  requests.add({
    name: 'resolve',
    description: 'answer a request; the person who asked is notified',
    arguments: [argument],
    options: [
      ['--response <text>', 'the answer'],
      ['--again', 'replace the answer of a request that is already resolved, and its entry'],
      ['--publish', 'also make the answer a published entry'],
      ['--domain <domain>', 'the domain of that entry (default: the domain of the request’s page)'],
      ['--url-pattern <pattern>', 'the URL pattern of that entry (default: the whole domain)'],
      ['--title <title>', 'the title of that entry (default: the question)'],
      [
        '--visibility <tier>',
        `the visibility of that entry: ${visibilities.join(', ')} (default: the app’s default)`,
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
      const { saysAnswer, updateRequest } = await import('./update-request.js');
      const { hostNamed } = await import('../tenancy/name-site.js');
      const { app, actor } = session;
      const request = await getRequest(app, actor, id);
      const response = await askFor(session.terminal, options.response ?? request.response ?? '', {
        option: '--response',
        what: `Answer to "${printable(request.question)}"`,
      });
      const replaces = request.status === 'resolved' && response.trim() !== request.response;
      if (replaces && !(await mayReplace(session, options, request))) return 1;
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
        notes: async (resolved) =>
          resolved.entryUuid === null || (await saysAnswer(app, resolved))
            ? []
            : [
                `Entry ${resolved.entryUuid} says something else: replace its text with --publish, or edit it.`,
              ],
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
