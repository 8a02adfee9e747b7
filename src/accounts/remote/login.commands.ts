import { wholeNumber } from '../../platform/cli/arguments.js';
import type { CommandGroup, Option } from '../../platform/cli/command-group.js';
import type { ConfigSession, ExitCode } from '../../platform/cli/cli.js';
import { askFor, confirm } from '../../platform/cli/prompts.js';
import { isInteractive } from '../../platform/cli/terminal.js';
import { printable } from '../../platform/text/printable.js';
import type { SignInPerson } from './log-in-remotely.js';

interface LoginOptions {
  server?: string;
  provider?: string;
  email?: string;
  setUpTwoFactor?: boolean;
  browser: boolean;
  port: number;
  org?: string;
}

const theServer: Option = ['--server <url>', 'the address of the server'];

export function addLoginCommands(program: CommandGroup): void {
  program.addConfig({
    name: 'login',
    description: 'sign in to a server, by its identity provider or by password',
    options: [
      theServer,
      ['--provider <name>', 'the identity provider (default: the only one)'],
      [
        '--email <address>',
        'sign in by password, which is asked for or read from ASSISTANT_PASSWORD',
      ],
      ['--set-up-two-factor', 'sign in by password and set up a second factor'],
      ['--no-browser', 'open no browser, only print the address'],
      [
        '--port <number>',
        'the local port that the browser returns to; 0 takes a free one',
        wholeNumber('--port', 0, 65_535),
        0,
      ],
    ],
    answer: '{ server, email, role }; the session is kept in a file that only its owner may read',
    examples: [
      'assistant login --server https://assistant.example.com',
      'assistant login --server https://assistant.example.com --org acme --provider entra',
      'assistant login --server https://assistant.example.com --email ada@example.com',
    ],
    run: logIn,
  });
  program.addConfig({
    name: 'logout',
    description: 'end the session that login opened with a server',
    options: [theServer],
    answer: '{ server, email, end_session_url }; email is null if nobody was signed in',
    examples: ['assistant logout --server https://assistant.example.com'],
    run: logOut,
  });
}

async function logIn(session: ConfigSession, options: LoginOptions): Promise<ExitCode> {
  const { out, interrupted: signal } = session;
  const { logInRemotely } = await import('./log-in-remotely.js');
  const { serverKey } = await import('./session-file.js');
  const note = (text: string) => out.note(printable(text));
  const url = await serverOf(session, options, note);
  const { openBrowser } = await import('../../platform/cli/open-browser.js');
  const setUpTwoFactor = options.setUpTwoFactor === true;
  const { user } = await logInRemotely(
    {
      url,
      signal,
      note,
      setUpTwoFactor,
      port: options.port,
      organization: options.org,
      provider: options.provider,
      byPassword: options.email !== undefined || setUpTwoFactor,
    },
    personAt(session, options, openBrowser),
  );
  const { email, role } = user;
  const server = serverKey(url);
  out.result({ server, email, role }, `Signed in to ${server} as ${email} (${role}).`);
  return 0;
}

async function logOut(session: ConfigSession, options: { server?: string }): Promise<ExitCode> {
  const { out, interrupted: signal } = session;
  const { logOutRemotely } = await import('./log-in-remotely.js');
  const { serverKey } = await import('./session-file.js');
  const note = (text: string) => out.note(printable(text));
  const url = await serverOf(session, options, note);
  const ended = await logOutRemotely({ url, signal, note });
  const server = serverKey(url);
  const more =
    ended?.endSessionUrl === undefined
      ? ''
      : `\nTo sign out of the identity provider too, open: ${ended.endSessionUrl}`;
  out.result(
    { server, email: ended?.email ?? null, end_session_url: ended?.endSessionUrl ?? null },
    ended === undefined ? `You had not signed in to ${server}.` : `Signed out of ${server}.${more}`,
  );
  return 0;
}

async function serverOf(
  { terminal }: ConfigSession,
  { server }: { server?: string },
  note: (text: string) => void,
): Promise<URL> {
  const { readServerUrl } = await import('../../platform/cli/server-client.js');
  const given = await askFor(terminal, server, {
    option: '--server',
    what: 'Address of the server',
    check: (text) => readServerUrl(text, () => undefined),
  });
  return readServerUrl(given, note);
}

/** Text that the person must see goes to standard error, even with --quiet: the sign-in needs it. */
function personAt(
  { terminal }: ConfigSession,
  options: LoginOptions,
  openBrowser: (address: string) => Promise<boolean>,
): SignInPerson {
  const say = (text: string) => void terminal.stderr.write(`${printable(text)}\n`);
  const ask = (given: string | undefined, option: string, what: string, secret = false) =>
    askFor(terminal, given, { option, what, secret });
  return {
    email: () => ask(options.email, '--email', 'E-mail address'),
    password: () =>
      ask(
        process.env['ASSISTANT_PASSWORD'],
        'the environment variable ASSISTANT_PASSWORD',
        'Password',
        true,
      ),
    code: () => ask(undefined, 'it at a terminal', 'Code of the authenticator app'),
    showSecret(secret, uri) {
      say(`Add this secret to your authenticator app: ${secret}\nor open: ${uri}`);
    },
    showRecoveryCodes(codes) {
      say(
        'Keep these recovery codes: each replaces one code of the app, once. They are not shown again.',
      );
      say(codes.join('\n'));
    },
    async isMe(email) {
      if (!isInteractive(terminal)) return true;
      return confirm(terminal, undefined, `Your browser signed in as ${email}. Is that you?`);
    },
    showAddress(address) {
      say(`Sign in with your browser at:\n${address}`);
      // If no browser opens, the person opens the address.
      if (options.browser && isInteractive(terminal)) void openBrowser(address);
    },
  };
}
