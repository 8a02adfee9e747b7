import type { Command } from 'commander';
import { roles, type Role } from '../platform/actor.js';
import { oneLine, oneOf } from '../platform/cli/arguments.js';
import { carryOut, withConsent, withDryRun, type Consent } from '../platform/cli/carry-out.js';
import { withExamples, type Cli } from '../platform/cli/cli.js';
import { showList, withPaging, type ListOptions } from '../platform/cli/list.js';
import { askFor } from '../platform/cli/prompts.js';
import { printable } from '../platform/cli/terminal.js';
import {
  addEditUser,
  addResetPassword,
  addResetTwoFactor,
  addSwitches,
  addUnlinkIdentity,
} from './change-user.commands.js';

interface AddUserOptions extends Consent {
  email?: string;
  name?: string;
  role: Role;
}

interface UserListOptions extends ListOptions {
  role?: Role;
  search?: string;
}

/** `more`: commands about users that stand on more than accounts. */
export function addUserCommands(
  program: Command,
  cli: Cli,
  more: ((users: Command, cli: Cli) => void)[] = [],
): void {
  const users = program.command('users').description('the people who may sign in');
  addList(users, cli);
  addAdd(users, cli);
  addEditUser(users, cli);
  addSwitches(users, cli);
  addResetPassword(users, cli);
  addResetTwoFactor(users, cli);
  addUnlinkIdentity(users, cli);
  addDelete(users, cli);
  for (const add of more) add(users, cli);
}

function addList(users: Command, cli: Cli): void {
  withExamples(
    withPaging(users.command('list'), 'users')
      .description('list the users')
      .option('--role <role>', roles.join(', '), oneOf('--role', roles))
      .option('--search <text>', 'a part of the address or of the name'),
    'assistant users list --role admin',
    'assistant users list --search example.com --json | jq ".data[].email"',
  ).action(async (options: UserListOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listUsersPage } = await import('./manage-users.js');
      const { presentUser } = await import('./accounts.schema.js');
      const { page, limit, role, search } = options;
      const found = await listUsersPage(app, actor, { page, limit, role, q: search });
      return showList(out, found, options, {
        things: 'users',
        columns: [
          { title: 'id', value: (user) => String(user.id) },
          { title: 'role', value: (user) => user.role },
          { title: 'active', value: (user) => (user.disabled ? 'no' : 'yes') },
          { title: 'e-mail', value: (user) => user.email, flexible: true },
          { title: 'name', value: (user) => user.displayName, flexible: true },
        ],
        present: presentUser,
      });
    });
  });
}

function addAdd(users: Command, cli: Cli): void {
  withExamples(
    withDryRun(users.command('add'))
      .description('add a user; the password is asked for, or taken from ASSISTANT_PASSWORD')
      .option('--email <address>', 'what the user signs in with')
      .option('--name <name>', 'how the user is shown', oneLine('--name'))
      .option('--role <role>', `one of ${roles.join(', ')}`, oneOf('--role', roles), 'user'),
    'assistant users add --email ada@example.com --role backoffice',
    'ASSISTANT_PASSWORD="$PW" assistant users add --email ci@example.com --role backoffice --json',
  ).action(async (options: AddUserOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { actor, terminal } = session;
      const { checkEmail, checkPassword, createUser } = await import('./create-user.js');
      const { presentUser } = await import('./accounts.schema.js');
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
      const { role, name: displayName } = options;
      return carryOut(session, options, {
        work: (app) => createUser(app, actor, { email, password, role, displayName }),
        tell: (user) => [presentUser(user), `Added ${printable(user.email)} as ${user.role}.`],
      });
    });
  });
}

function addDelete(users: Command, cli: Cli): void {
  withExamples(
    withConsent(users.command('delete').argument('<email>', 'of the user')).description(
      'remove a user for good (to end the access alone: users disable; with all that is stored about them: people erase)',
    ),
    'assistant users delete ada@example.com --yes',
  ).action(async (address: string, options: Consent, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { deleteUser, getUserByEmail } = await import('./manage-users.js');
      const { id, email } = await getUserByEmail(session.app, session.actor, address);
      return carryOut(session, options, {
        question: `Delete the user ${printable(email)}?`,
        work: (app) => deleteUser(app, session.actor, id),
        tell: () => [{ id, email, deleted: true }, `Deleted ${printable(email)}.`],
      });
    });
  });
}
