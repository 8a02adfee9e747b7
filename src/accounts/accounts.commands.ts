import type { Command } from 'commander';
import { roles, type Role } from '../platform/actor.js';
import { oneOf, wholeNumber } from '../platform/cli/arguments.js';
import { withExamples, type Cli } from '../platform/cli/cli.js';
import { askFor } from '../platform/cli/prompts.js';

interface AddUserOptions {
  email?: string;
  name?: string;
  role: Role;
}

interface MintOptions {
  user?: string;
  name?: string;
  days?: number;
}

export function addAccountCommands(program: Command, cli: Cli): void {
  const users = program.command('users').description('the people who may sign in');
  withExamples(
    users
      .command('add')
      .description('add a user; the password is asked for, or taken from ASSISTANT_PASSWORD')
      .option('--email <address>', 'what the user signs in with')
      .option('--name <name>', 'how the user is shown')
      .option('--role <role>', `one of ${roles.join(', ')}`, oneOf('--role', roles), 'user'),
    'assistant users add --email ada@example.com --role backoffice',
    'ASSISTANT_PASSWORD="$PW" assistant users add --email ci@example.com --role backoffice --json',
  ).action(async (options: AddUserOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out, terminal }) => {
      const { checkEmail, checkPassword, createUser } = await import('./create-user.js');
      const email = await askFor(terminal, options.email, {
        option: '--email',
        what: 'E-mail address',
        check: checkEmail,
      });
      const password = await askFor(terminal, process.env['ASSISTANT_PASSWORD'], {
        option: 'the environment variable ASSISTANT_PASSWORD',
        what: 'Password',
        secret: true,
        check: checkPassword,
      });
      const user = await createUser(app, actor, {
        email,
        password,
        role: options.role,
        displayName: options.name,
      });
      const { id, role, displayName } = user;
      out.result(
        { id, email: user.email, display_name: displayName, role },
        `Added ${user.email} as ${role}.`,
      );
      return 0;
    });
  });

  const tokens = program.command('tokens').description('long-lived tokens for scripts');
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
