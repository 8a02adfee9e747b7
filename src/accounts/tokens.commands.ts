import type { Command } from 'commander';
import { wholeNumber } from '../platform/cli/arguments.js';
import { withExamples, type Cli } from '../platform/cli/cli.js';
import { showList, withPaging, type ListOptions } from '../platform/cli/list.js';
import { askFor, confirm } from '../platform/cli/prompts.js';
import { printable } from '../platform/cli/terminal.js';

interface MintOptions {
  user?: string;
  name?: string;
  days?: number;
}

interface RotateOptions {
  retireOld?: boolean;
  yes?: boolean;
}

export function addTokenCommands(program: Command, cli: Cli): void {
  const tokens = program.command('tokens').description('long-lived tokens for scripts');
  addMint(tokens, cli);
  addList(tokens, cli);
  addRevoke(tokens, cli);
  addRotateKey(tokens, cli);
}

function addMint(tokens: Command, cli: Cli): void {
  withExamples(
    tokens
      .command('mint')
      .description('make a named bearer token with the rights of a user; it is shown once')
      .option('--user <email>', 'whose rights it has')
      .option('--name <name>', 'what it is for, e.g. "docs pipeline"')
      .option(
        '--days <number>',
        'how long it lives (else until it is revoked)',
        wholeNumber('--days'),
      ),
    'assistant tokens mint --user ci@example.com --name "docs pipeline" --days 90',
    'assistant tokens mint --user ci@example.com --name ci --json | jq -r .token',
  ).action(async (options: MintOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out, terminal }) => {
      const { mintToken } = await import('./mint-token.js');
      const email = await askFor(terminal, options.user, {
        option: '--user',
        what: 'E-mail address of the user',
      });
      const name = await askFor(terminal, options.name, {
        option: '--name',
        what: 'Name of the token',
      });
      const minted = await mintToken(app, actor, { email, name, days: options.days });
      const { token, expiresAt } = minted;
      out.note(`Keep it now: this token (${name}, for ${minted.email}) is not shown again.`);
      out.result({ token, name, email: minted.email, expires_at: expiresAt }, token);
      return 0;
    });
  });
}

function addList(tokens: Command, cli: Cli): void {
  withExamples(
    withPaging(tokens.command('list'), 'tokens').description(
      'list the tokens, newest first; the tokens themselves are not kept',
    ),
    'assistant tokens list',
  ).action(async (options: ListOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listApiTokens } = await import('./api-tokens.js');
      const { presentApiToken } = await import('./accounts.schema.js');
      return showList(out, await listApiTokens(app, actor, options), options, {
        things: 'tokens',
        columns: [
          { title: 'id', value: (token) => String(token.id) },
          { title: 'last used', value: (token) => dayOf(token.lastUsedAt) },
          { title: 'expires', value: (token) => dayOf(token.expiresAt) },
          { title: 'revoked', value: (token) => dayOf(token.revokedAt) },
          { title: 'user', value: (token) => token.user.email, flexible: true },
          { title: 'name', value: (token) => token.name, flexible: true },
        ],
        present: presentApiToken,
      });
    });
  });
}

function addRevoke(tokens: Command, cli: Cli): void {
  withExamples(
    tokens
      .command('revoke')
      .argument('<id>', 'as tokens list shows it')
      .description('end a token at once'),
    'assistant tokens revoke 7',
  ).action(async (id: string, _options: unknown, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { revokeApiToken } = await import('./api-tokens.js');
      const { presentApiToken } = await import('./accounts.schema.js');
      const token = await revokeApiToken(app, actor, wholeNumber('id')(id));
      out.result(presentApiToken(token), `Revoked the token ${printable(token.name)}.`);
      return 0;
    });
  });
}

function addRotateKey(tokens: Command, cli: Cli): void {
  withExamples(
    tokens
      .command('rotate-key')
      .description('make a new key that signs tokens from now on')
      .option('--retire-old', 'end all that older keys signed: every session, every token')
      .option('--yes', 'do not ask'),
    'assistant tokens rotate-key',
    'assistant tokens rotate-key --retire-old --yes',
  ).action(async (options: RotateOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out, terminal }) => {
      const { presentKey, rotateSigningKey } = await import('./signing-keys.js');
      const retireOld = options.retireOld === true;
      const question = 'End every session and every token of all organizations?';
      if (retireOld && !(await confirm(terminal, options.yes, question))) {
        out.note('Nothing was changed.');
        return 1;
      }
      const { key, retired } = await rotateSigningKey(app, actor, { retireOld });
      const text = `The key ${key.kid} signs from now on; ${retired} older ones were retired.`;
      out.result({ ...presentKey(key), retired }, text);
      return 0;
    });
  });
}

function dayOf(time: string | null): string {
  return time === null ? '' : time.slice(0, 10);
}
