import { roles, type Role } from '../platform/actor.js';
import type { CommandGroup, Option } from '../platform/cli/command-group.js';
import { oneLine, oneOf } from '../platform/cli/arguments.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';
import { askFor, askForNewPassword } from '../platform/cli/prompts.js';
import type { Page } from '../platform/db/select-page.js';
import { addChangesOfUsers } from './change-user.commands.js';

interface CreateOptions extends Consent {
  email?: string;
  name?: string;
  role: Role;
}

interface Filter extends Page {
  role?: Role;
  search?: string;
}

const ofRole: Option = ['--role <role>', roles.join(', '), oneOf('--role', roles)];

export function addUserCommands(program: CommandGroup): CommandGroup {
  const users = program.group('users', 'the people who may sign in');
  users.list({
    things: 'users',
    description: 'list the users',
    options: [ofRole, ['--search <text>', 'a part of the address or of the name']],
    examples: [
      'assistant users list --role admin',
      'assistant users list --search example.com --json | jq ".data[].email"',
    ],
    async load({ app, actor }, { page, limit, role, search }: Filter) {
      const { listUsersPage } = await import('./users/manage-users.js');
      const { presentUser } = await import('./users/accounts.schema.js');
      const found = await listUsersPage(app, actor, { page, limit, role, q: search });
      return { ...found, present: presentUser };
    },
    columns: [
      { title: 'id', value: ({ id }) => id },
      { title: 'role', value: ({ role }) => role },
      { title: 'active', value: ({ disabled }) => (disabled ? 'no' : 'yes') },
      { title: 'e-mail', value: ({ email }) => email, flexible: true },
      { title: 'name', value: ({ displayName }) => displayName, flexible: true },
    ],
  });
  users.add({
    name: 'create',
    formerly: ['add'],
    description: 'create a user; the password is asked for or read from ASSISTANT_PASSWORD',
    options: [
      ['--email <address>', 'what the user signs in with'],
      ['--name <name>', 'how the user is shown', oneLine('--name')],
      [ofRole[0], ofRole[1], ofRole[2], 'user'],
    ],
    consent: 'rehearses',
    answer: 'User',
    examples: [
      'assistant users create --email ada@example.com --role backoffice',
      'ASSISTANT_PASSWORD="$PW" assistant users create --email ci@example.com --role backoffice --json',
    ],
    async run(session, options: CreateOptions) {
      const { actor, terminal } = session;
      const { checkEmail, checkPassword, createUser } = await import('./users/create-user.js');
      const { presentUser } = await import('./users/accounts.schema.js');
      const email = await askFor(terminal, options.email, {
        option: '--email',
        what: 'E-mail address',
        check: checkEmail,
      });
      const password = await askForNewPassword(terminal, 'Password', checkPassword);
      const { role, name: displayName } = options;
      return carryOut(session, options, {
        work: (app) => createUser(app, actor, { email, password, role, displayName }),
        tell: (user) => [presentUser(user), `Created ${user.email} as ${user.role}.`],
      });
    },
  });
  addChangesOfUsers(users);
  return users;
}
