import type { Command } from 'commander';
import { askForChanges } from '../platform/cli/ask-for-changes.js';
import { carryOut, withConsent, withDryRun, type Consent } from '../platform/cli/carry-out.js';
import { withAnswer, withExamples, type Cli } from '../platform/cli/cli.js';
import { showList, withPaging, type ListOptions } from '../platform/cli/list.js';
import { askFor } from '../platform/cli/prompts.js';

interface OfApp {
  app?: string;
}

const named = 'its number or name';

export function addDomainCommands(program: Command, cli: Cli): void {
  const domains = program
    .command('domains')
    .description('the host names whose pages an app speaks on');
  addList(domains, cli);
  addAdd(domains, cli);
  addEdit(domains, cli);
  addRemove(domains, cli);
}

function addList(domains: Command, cli: Cli): void {
  withExamples(
    withPaging(domains.command('list'), 'domains')
      .description('list the registered domains by name')
      .option('--app <app>', 'of one app alone: its number or name'),
    'assistant domains list',
    'assistant domains list --app Shop --json | jq -r ".data[].host"',
  ).action(async (options: ListOptions & OfApp, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listDomainsPage } = await import('../tenancy/read-domains.js');
      const { getAppNamed } = await import('../tenancy/name-site.js');
      const { presentDomain } = await import('../tenancy/tenancy.schema.js');
      const { page, limit, app: ofApp } = options;
      const appId = ofApp === undefined ? undefined : (await getAppNamed(app, actor, ofApp)).id;
      return showList(out, await listDomainsPage(app, actor, { page, limit, appId }), options, {
        things: 'domains',
        columns: [
          { title: 'id', value: (domain) => String(domain.id) },
          { title: 'app', value: (domain) => String(domain.appId) },
          { title: 'host', value: (domain) => domain.host, flexible: true },
        ],
        present: presentDomain,
      });
    });
  });
}

function addAdd(domains: Command, cli: Cli): void {
  withExamples(
    withDryRun(
      withAnswer(
        domains.command('add'),
        'the domain: {id, host, app_id, created_at, updated_at, entries}; entries: how many went to the app',
      ),
    )
      .description('register a domain for an app, which then has the entries that waited for it')
      .option('--host <host>', 'docs.example.com, or *.example.com for every host below')
      .option('--app <app>', `the app: ${named} (else the first one)`),
    'assistant domains add --host docs.example.com',
    'assistant domains add --host "*.example.com" --app Shop',
  ).action(async (options: Consent & OfApp & { host?: string }, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { claimDomain } = await import('./claim-domain.js');
      const { getAppNamed } = await import('../tenancy/name-site.js');
      const { normalizeHost } = await import('../tenancy/page-address.js');
      const { presentDomain } = await import('../tenancy/tenancy.schema.js');
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
    });
  });
}

function addEdit(domains: Command, cli: Cli): void {
  withExamples(
    withDryRun(
      withAnswer(
        domains.command('edit'),
        'the domain: {id, host, app_id, created_at, updated_at}',
      ).argument('<domain>', 'its host name or number'),
    )
      .description('give a domain to another app, with its entries')
      .option('--app <app>', `the app: ${named}`),
    'assistant domains edit docs.example.com --app Shop',
  ).action(async (name: string, options: Consent & OfApp, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { moveDomain } = await import('./change-domain.js');
      const { getAppNamed, getDomainNamed } = await import('../tenancy/name-site.js');
      const { presentDomain } = await import('../tenancy/tenancy.schema.js');
      const { getApp } = await import('../tenancy/manage-apps.js');
      const { app, actor } = session;
      const { id, appId: from } = await getDomainNamed(app, actor, name);
      const present = (await getApp(app, actor, from)).name;
      const { app: to = String(from) } = await askForChanges<{ app: string }>(
        session.terminal,
        { app: options.app },
        {
          app: { option: '--app', what: 'The app that it goes to', present, read: (text) => text },
        },
      );
      const { id: appId } = await getAppNamed(app, actor, to);
      return carryOut(session, options, {
        work: (app) => moveDomain(app, session.actor, id, { appId }),
        tell: (domain) => [
          presentDomain(domain),
          `${domain.host} belongs to app ${domain.appId}, with its entries.`,
        ],
      });
    });
  });
}

function addRemove(domains: Command, cli: Cli): void {
  withExamples(
    withConsent(
      withAnswer(
        domains.command('remove'),
        '{id, host, removed, entries}; entries: how many left the app',
      ).argument('<domain>', 'its host name or number'),
    ).description('give a domain up: its entries wait, unseen, until it is registered again'),
    'assistant domains remove docs.example.com --yes',
    'assistant domains remove docs.example.com --dry-run',
  ).action(async (name: string, options: Consent, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { releaseDomain } = await import('./change-domain.js');
      const { getDomainNamed } = await import('../tenancy/name-site.js');
      const { id, host } = await getDomainNamed(session.app, session.actor, name);
      return carryOut(session, options, {
        question: `Give ${host} up, and end the answers on its pages?`,
        work: (app) => releaseDomain(app, session.actor, id),
        tell: (entries) => [
          { id, host, removed: true, entries },
          `Gave ${host} up${entriesThat(entries, 'left its app')}.`,
        ],
      });
    });
  });
}

function entriesThat(count: number, did: string): string {
  return count === 0 ? '' : `; ${count} ${count === 1 ? 'entry' : 'entries'} ${did}`;
}
