import { keyArgument } from '../federation/keys.commands.js';
import type { CommandGroup } from '../platform/cli/command-group.js';
import type { Session } from '../platform/cli/cli.js';
import type { Config } from '../platform/config/schema.js';
import type { Snippet } from './describe-snippet.js';

export function addSnippetCommand(keys: CommandGroup): void {
  keys.add({
    name: 'snippet',
    description:
      'print the script tag for a page, and what the page’s Content-Security-Policy must allow',
    arguments: [keyArgument],
    options: [
      [
        '--server <address>',
        'the address of this service for browsers (default: server.public_url, else where it listens)',
      ],
    ],
    answer: '{ key, tag, integrity, policy, trustedTypes, domains }',
    examples: [
      'assistant keys snippet 1 --server https://assistant.example.com',
      'assistant keys snippet 1 --json | jq -r .tag',
    ],
    async run({ app, actor, out }, options: { server?: string }, key: string) {
      const { describeSnippet } = await import('./describe-snippet.js');
      const server = options.server ?? addressForBrowsers(app.config);
      const snippet = await describeSnippet(app, actor, { key, server });
      out.result(snippet, snippetText(snippet));
      if (options.server === undefined) {
        out.note(`Browsers that reach the service elsewhere than at ${server} need --server.`);
      }
      noteDomains(out, snippet);
      return 0;
    },
  });
}

/** The address at which browsers reach the service, as far as the settings say it. */
export function addressForBrowsers(config: Pick<Config, 'server'>): string {
  return config.server.public_url ?? listeningAddress(config);
}

/** The address at which a browser on this machine reaches the service. */
export function listeningAddress({ server: { host, port } }: Pick<Config, 'server'>): string {
  const isThisMachine = ['0.0.0.0', '::', '127.0.0.1', '::1', 'localhost'].includes(host);
  const name = isThisMachine ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

export function snippetText({ tag, policy, trustedTypes, domains }: Snippet): string {
  return [
    tag,
    '',
    'If the page has a Content-Security-Policy, it must allow this for the widget, and nothing else:',
    ...Object.entries(policy).map(([directive, sources]) => `  ${directive} ${sources};`),
    'and, where that lists the policies of Trusted Types that it allows (trusted-types), the one of the widget:',
    `  trusted-types ${trustedTypes};`,
    '',
    'Pages that may use it:',
    ...(domains.length === 0 ? ['  none'] : domains.map((domain) => `  ${domain}`)),
  ].join('\n');
}

/** Reported here, because the page itself only says that the assistant is not available. */
export function noteDomains(out: Session['out'], { domains }: Snippet): void {
  if (domains.length > 0) return;
  out.note(
    [
      'Warning: no page may use this key yet. For pages on a website, register its domain:',
      '  assistant domains create --host www.example.com --app 1',
      'For pages on localhost, set this in the configuration, and start the server again:',
      '  widget:',
      '    allow_localhost: true',
    ].join('\n'),
  );
}
