import type { Argument, CommandGroup } from '../platform/cli/command-group.js';
import { askForChanges } from '../platform/cli/ask-for-changes.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';
import type { Page } from '../platform/db/select-page.js';
import { askFor } from '../platform/cli/prompts.js';
import { counted } from '../platform/text/counted.js';
import { ofApp, theApp } from './apps.commands.js';

interface Options extends Consent {
  app?: string;
  host?: string;
}

const argument: Argument = ['<domain>', 'its number, host name, or the beginning of the host name'];
const answer = 'the domain: {id, host, app_id, created_at, updated_at}';

export function addDomainCommands(program: CommandGroup): void {
  const description = 'the host names of an app’s pages';
  const domains = program.group('domains', description);
  addList(domains);
  addCreate(domains);
  addEdit(domains);
  addDelete(domains);
}

function addList(domains: CommandGroup): void {
  domains.list({
    things: 'domains',
    description: 'list the registered domains by name',
    first: 'Register one with: assistant domains create --host <host>',
    options: [ofApp],
    examples: [
      'assistant domains list',
      'assistant domains list --app Shop --json | jq -r ".data[].host"',
    ],
    async load({ app, actor }, { page, limit, app: called }: Options & Page) {
      const { listDomainsPage } = await import('./manage-domains.js');
      const { appIdNamed } = await import('./name-site.js');
      const { presentDomain } = await import('./tenancy.schema.js');
      const appId = await appIdNamed(app, actor, called);
      const found = await listDomainsPage(app, actor, { page, limit, appId });
      return { ...found, present: presentDomain };
    },
    columns: [
      { title: 'id', value: ({ id }) => id },
      { title: 'app', value: ({ appId }) => appId },
      { title: 'host', value: ({ host }) => host, flexible: true },
    ],
  });
}

function addCreate(domains: CommandGroup): void {
  domains.add({
    name: 'create',
    formerly: ['add'],
    description: 'register a domain for an app; entries that waited for the domain go to the app',
    options: [['--host <host>', 'docs.example.com, or *.example.com for every host below'], theApp],
    consent: 'rehearses',
    answer:
      'the domain: {id, host, app_id, created_at, updated_at, entries}; entries: how many went to the app',
    examples: [
      'assistant domains create --host docs.example.com',
      'assistant domains create --host "*.example.com" --app Shop',
    ],
    async run(session, options: Options) {
      const { claimDomain } = await import('./manage-domains.js');
      const { getAppNamed } = await import('./name-site.js');
      const { normalizeHost } = await import('./page-address.js');
      const { presentDomain } = await import('./tenancy.schema.js');
      const host = await askFor(session.terminal, options.host, {
        option: '--host',
        what: 'Host name',
        check: (text) => normalizeHost(text, '--host'),
      });
      const site = await getAppNamed(session.app, session.actor, options.app);
      return carryOut(session, options, {
        work: (app) => claimDomain(app, session.actor, { host, appId: site.id }),
        tell: ({ domain, adopted }) => [
          { ...presentDomain(domain), entries: adopted },
          `Registered ${domain.host} for app ${site.id}${entriesThat(adopted, 'went to it')}.`,
        ],
      });
    },
  });
}

function addEdit(domains: CommandGroup): void {
  domains.add({
    name: 'edit',
    description: 'move a domain and its entries to another app',
    arguments: [argument],
    options: [theApp],
    consent: 'rehearses',
    answer,
    examples: ['assistant domains edit docs.example.com --app Shop'],
    async run(session, options: Options, called: string) {
      const { moveDomain } = await import('./manage-domains.js');
      const { getAppNamed, getDomainNamed } = await import('./name-site.js');
      const { presentDomain } = await import('./tenancy.schema.js');
      const { app, actor } = session;
      const { id, appId: from } = await getDomainNamed(app, actor, called);
      const present = await getAppNamed(app, actor, String(from));
      const [flags, about] = theApp;
      const field = { flags, about, what: 'The app that it goes to', read: (text: string) => text };
      const { app: to = String(from) } = await askForChanges(
        session.terminal,
        { app: options.app },
        { app: field },
        { app: present.name },
      );
      const { id: appId } = await getAppNamed(app, actor, to);
      return carryOut(session, options, {
        work: (app) => moveDomain(app, actor, id, { appId }),
        tell: (domain) => [
          presentDomain(domain),
          `${domain.host} belongs to app ${domain.appId}, with its entries.`,
        ],
      });
    },
  });
}

function addDelete(domains: CommandGroup): void {
  domains.change({
    name: 'delete',
    formerly: ['remove'],
    description: 'delete a domain; its entries stay hidden until the domain is registered again',
    argument,
    answer: '{id, host, removed, entries}; entries: how many left the app',
    examples: [
      'assistant domains delete docs.example.com --yes',
      'assistant domains delete docs.example.com --dry-run',
    ],
    find: async (...wanted) => (await import('./name-site.js')).getDomainNamed(...wanted),
    asks: ({ host }) => `Delete the domain ${host}, and end the answers on its pages?`,
    work: async (app, actor, { id }) =>
      (await import('./manage-domains.js')).releaseDomain(app, actor, id),
    tell: (entries, { id, host }) => [
      { id, host, removed: true, entries },
      `Deleted the domain ${host}${entriesThat(entries, 'left its app')}.`,
    ],
  });
}

function entriesThat(count: number, did: string): string {
  return count === 0 ? '' : `; ${counted(count, 'entry', 'entries')} ${did}`;
}
