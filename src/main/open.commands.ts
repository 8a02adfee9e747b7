import type { Command } from 'commander';
import type { ConfigSession, ExitCode, Session } from '../platform/cli/cli.js';
import type { CommandGroup } from '../platform/cli/command-group.js';
import type { Config } from '../platform/config/schema.js';

/** The pages of the server that `assistant open` names. A new page is a line here. */
export const serverPages = [
  { name: 'home', path: '/', about: 'the start page' },
  { name: 'backoffice', path: '/backoffice', about: 'the pages for staff' },
  { name: 'docs', path: '/api/docs', about: 'the API, to read' },
  { name: 'openapi', path: '/api/openapi.json', about: 'the API, for programs' },
  { name: 'health', path: '/health/ready', about: 'whether the server is ready' },
] as const;

interface OpenOptions {
  print?: boolean;
}

const names: string[] = serverPages.map(({ name }) => name);

export function addOpenCommand(program: CommandGroup): void {
  program
    .describe('open', {
      description: 'open a page of the server, or the page of an entry, in the browser',
      arguments: [
        [
          '[page]',
          `${serverPages.map(({ name, about }) => `${name} (${about})`).join(', ')}, or an entry: number, id or title (else home)`,
          // Only for completions: any other word is the name of an entry.
          Object.assign((text: string) => text, { allowed: names }),
        ],
      ],
      options: [['--print', 'only print the address']],
      answer: '{ url, opened }',
      examples: [
        'assistant open',
        'assistant open backoffice',
        'assistant open docs',
        'assistant open "How to reset a password"',
        'assistant open health --print',
      ],
    })
    .action(async (named: string | undefined, options: OpenOptions, command: Command) => {
      const page = serverPages.find(({ name }) => name === (named ?? 'home'));
      if (page === undefined) {
        return program.cli.withApp(command, (session) => openEntry(session, named ?? '', options));
      }
      if (page.name === 'backoffice') {
        return program.cli.withApp(command, (session) => openBackoffice(session, options));
      }
      return program.cli.withConfig(command, (session) => openPage(session, page.path, options));
    });
}

/** On this machine the address signs in once, so that nobody types a password. Elsewhere it is only the address. */
async function openBackoffice(
  { app, actor, out }: Session,
  options: OpenOptions,
): Promise<ExitCode> {
  const { base, isRunning } = await reach(app.config, out);
  const { localHost } = await import('../tenancy/app-of-origin.js');
  if (!isRunning || !localHost.test(new URL(base).hostname)) {
    return show(out, `${base}/backoffice`, options);
  }
  const { createSignInLink } = await import('../accounts/users/sign-in-links.js');
  out.note('The link signs in the first admin once, within five minutes, on this machine.');
  const token = await createSignInLink(app, actor);
  return show(out, `${base}/backoffice/sign-in/link?token=${token}`, options);
}

async function openPage(
  { config, out }: ConfigSession,
  path: string,
  options: OpenOptions,
): Promise<ExitCode> {
  const { base } = await reach(config, out);
  return show(out, base + path, options);
}

/** The address of the server, and whether one runs here. */
async function reach(config: Config, out: Session['out']) {
  const { listProcesses } = await import('../platform/running-processes.js');
  const servers = listProcesses(config.database.path, new Date()).filter(({ url }) => url !== null);
  const base = await addressOf(config, servers[0]?.url ?? undefined);
  if (servers.length === 0) out.note('No server runs here now. Start it: assistant serve');
  return { base: base.replace(/\/$/, ''), isRunning: servers.length > 0 };
}

/** The address of the server for a browser: the public address, that of a running server, or the configured one. */
async function addressOf(config: Config, running: string | undefined): Promise<string> {
  const { listeningAddress } = await import('../widget/snippet.commands.js');
  if (config.server.public_url !== null) return config.server.public_url;
  if (running === undefined) return listeningAddress(config);
  const { hostname, port } = new URL(running);
  const host = hostname.replace(/^\[|\]$/g, '');
  return listeningAddress({ server: { ...config.server, host, port: Number(port || 80) } });
}

async function openEntry(
  { app, actor, out }: Session,
  named: string,
  options: OpenOptions,
): Promise<ExitCode> {
  const { codeOf, messageOf, AppError } = await import('../platform/errors.js');
  const { didYouMean } = await import('../platform/text/closest-word.js');
  const { getEntryNamed } = await import('../knowledge/read-entries.js');
  const { addressOfEntry } = await import('../knowledge/address-of-entry.js');
  const entry = await getEntryNamed(app, actor, named).catch((error: unknown) => {
    if (codeOf(error) !== 'not_found') throw error;
    const pages = didYouMean(named, names) || ` Pages are: ${names.join(', ')}.`;
    throw new AppError('not_found', `${messageOf(error)}${pages}`);
  });
  return show(out, await addressOfEntry(app, actor, entry), options);
}

async function show(
  out: Session['out'],
  url: string,
  { print = false }: OpenOptions,
): Promise<ExitCode> {
  const { hasDisplay, openBrowser } = await import('../platform/cli/open-browser.js');
  const opened = !print && hasDisplay() && (await openBrowser(url));
  out.result({ url, opened }, url);
  if (!print && !opened)
    out.note('There is no browser here. Open the address on your own machine.');
  return 0;
}
