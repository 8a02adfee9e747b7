import type { Command } from 'commander';
import { roles, type Role } from '../platform/actor.js';
import { oneOf } from '../platform/cli/arguments.js';
import { carryOut, withConsent, type Consent } from '../platform/cli/carry-out.js';
import { withExamples, type Cli } from '../platform/cli/cli.js';
import { showList, withPaging, type ListOptions } from '../platform/cli/list.js';
import { askFor } from '../platform/cli/prompts.js';
import { missingValue, printable } from '../platform/cli/terminal.js';

interface AddUserOptions {
  email?: string;
  name?: string;
  role: Role;
}

interface UserListOptions extends ListOptions {
  role?: Role;
  search?: string;
}

interface EditOptions {
  email?: string;
  name?: string;
  role?: Role;
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
  addEdit(users, cli);
  addSwitch(users, cli, 'disable', 'end all access of a user, and let nobody sign in as it');
  addSwitch(users, cli, 'enable', 'let a disabled user sign in again');
  addResetPassword(users, cli);
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
}

function addEdit(users: Command, cli: Cli): void {
  withExamples(
    users
      .command('edit')
      .argument('<email>', 'of the user')
      .description('change the address, name or role of a user')
      .option('--email <address>', 'the new address')
      .option('--name <name>', 'how the user is shown')
      .option('--role <role>', roles.join(', '), oneOf('--role', roles)),
    'assistant users edit ada@example.com --role admin',
    'assistant users edit ada@example.com --email ada@example.org --name "Ada L."',
  ).action(async (address: string, options: EditOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { getUserByEmail, updateUser } = await import('./manage-users.js');
      const { presentUser } = await import('./accounts.schema.js');
      const { email, name: displayName, role } = options;
      if (email === undefined && displayName === undefined && role === undefined) {
        throw missingValue('--email, --name or --role', 'What to change');
      }
      const { id } = await getUserByEmail(app, actor, address);
      const user = await updateUser(app, actor, { id, email, displayName, role });
      out.result(presentUser(user), `Changed ${printable(user.email)} (${user.role}).`);
      return 0;
    });
  });
}

function addSwitch(users: Command, cli: Cli, name: 'disable' | 'enable', what: string): void {
  withExamples(
    users.command(name).argument('<email>', 'of the user').description(what),
    `assistant users ${name} ada@example.com`,
  ).action(async (address: string, _options: unknown, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { getUserByEmail, updateUser } = await import('./manage-users.js');
      const { presentUser } = await import('./accounts.schema.js');
      const { id } = await getUserByEmail(app, actor, address);
      const user = await updateUser(app, actor, { id, disabled: name === 'disable' });
      out.result(
        presentUser(user),
        `${printable(user.email)} is ${user.disabled ? 'disabled' : 'active'}.`,
      );
      return 0;
    });
  });
}

function addResetPassword(users: Command, cli: Cli): void {
  withExamples(
    users
      .command('reset-password')
      .argument('<email>', 'of the user')
      .description('give a user another password (asked for, or ASSISTANT_PASSWORD)'),
    'assistant users reset-password ada@example.com',
    'ASSISTANT_PASSWORD="$PW" assistant users reset-password ada@example.com --json',
  ).action(async (address: string, _options: unknown, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out, terminal }) => {
      const { getUserByEmail, resetPassword } = await import('./manage-users.js');
      const { presentUser } = await import('./accounts.schema.js');
      const { checkPassword } = await import('./create-user.js');
      const { id } = await getUserByEmail(app, actor, address);
      const password = await askFor(terminal, process.env['ASSISTANT_PASSWORD'], {
        option: 'the environment variable ASSISTANT_PASSWORD',
        what: 'New password',
        secret: true,
        check: checkPassword,
      });
      const user = await resetPassword(app, actor, { id, password });
      const text = `${printable(user.email)} has another password; all sessions and tokens ended.`;
      out.result(presentUser(user), text);
      return 0;
    });
  });
}

function addDelete(users: Command, cli: Cli): void {
  withExamples(
    withConsent(users.command('delete').argument('<email>', 'of the user')).description(
      'remove a user for good (to end the access alone: users disable)',
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
