import { roles, type Actor, type Role } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Argument, CommandGroup } from '../platform/cli/command-group.js';
import { oneLine, oneOf } from '../platform/cli/arguments.js';
import { askForChanges, isUnchanged, optionsOf } from '../platform/cli/ask-for-changes.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';
import { askForNewPassword } from '../platform/cli/prompts.js';
import { printable } from '../platform/text/printable.js';
import type { getUserNamed } from './users/manage-users.js';

type User = Awaited<ReturnType<typeof getUserNamed>>;

interface EditOptions extends Consent {
  email?: string;
  name?: string;
  role?: Role;
}

export const userArgument: Argument = [
  '<user>',
  'e-mail address, number, or the beginning of the address',
];
const fields = {
  email: {
    flags: '--email <address>',
    about: 'the new address',
    what: 'E-mail address',
    read: (text: string) => text,
  },
  name: {
    flags: '--name <name>',
    about: 'how the user is shown',
    what: 'Name',
    read: oneLine('--name'),
  },
  role: {
    flags: '--role <role>',
    about: roles.join(', '),
    what: `Role (${roles.join(', ')})`,
    read: oneOf('--role', roles),
  },
};

export function addChangesOfUsers(users: CommandGroup): void {
  addEdit(users);
  addChange(users, {
    name: 'disable',
    description: 'disable a user: end all sessions and tokens, and refuse further sign-ins',
    asks: ({ email }) => `End every session and every token of ${email}?`,
    done: (email) => `${email} is disabled.`,
    work: async (app, actor, { id }) =>
      (await import('./users/manage-users.js')).updateUser(app, actor, { id, disabled: true }),
  });
  addChange(users, {
    name: 'enable',
    description: 'enable a disabled user, who can then sign in again',
    done: (email) => `${email} is active.`,
    work: async (app, actor, { id }) =>
      (await import('./users/manage-users.js')).updateUser(app, actor, { id, disabled: false }),
  });
  addResetPassword(users);
  addChange(users, {
    name: 'reset-two-factor',
    description: 'remove the second factor of a user who lost it, and end all sessions',
    asks: ({ email }) => `Remove the second factor of ${email}?`,
    done: (email) => `${email} no longer has a second factor; all sessions ended.`,
    work: async (app, actor, { id }) =>
      (await import('./users/manage-second-factor.js')).resetSecondFactor(app, actor, id),
  });
  addChange(users, {
    name: 'unlink-identity',
    description:
      'unbind an account from its identity at a provider, so that the next person with its address there gets it; ends all sessions',
    asks: ({ email }) =>
      `Unbind ${email}, so that the next person with this address at an identity provider gets the account?`,
    done: (email) => `${email} is no longer bound to an identity; all sessions ended.`,
    work: async (app, actor, { id }) =>
      (await import('./sso/unlink-identity.js')).unlinkIdentity(app, actor, id),
  });
  addDelete(users);
}

function addEdit(users: CommandGroup): void {
  users.add({
    name: 'edit',
    description:
      'change the address, name or role of a user; without options, each value is asked for',
    arguments: [userArgument],
    options: optionsOf(fields),
    consent: 'rehearses',
    answer: 'User',
    examples: [
      'assistant users edit ada@example.com --role admin',
      'assistant users edit ada@example.com --email ada@example.org --name "Ada L."',
    ],
    async run(session, options: EditOptions, called: string) {
      const { app, actor, terminal } = session;
      const { updateUser } = await import('./users/manage-users.js');
      const { checkEmail } = await import('./users/create-user.js');
      const { presentUser } = await import('./users/accounts.schema.js');
      const user = await findUser(app, actor, called);
      const checked = { ...fields, email: { ...fields.email, read: checkEmail } };
      const present = { email: user.email, name: user.displayName, role: user.role };
      const change = await askForChanges(terminal, options, checked, present);
      const { email, name: displayName, role } = change;
      return carryOut(session, options, {
        work: (app) => updateUser(app, actor, { id: user.id, email, displayName, role }),
        tell: (changed) => [
          presentUser(changed),
          isUnchanged(change)
            ? 'Nothing was changed.'
            : `Changed ${changed.email} (${changed.role}).`,
        ],
      });
    },
  });
}

function addResetPassword(users: CommandGroup): void {
  users.add({
    name: 'reset-password',
    description:
      'set a new password for a user (asked for, or read from ASSISTANT_PASSWORD), and end all sessions and tokens',
    arguments: [userArgument],
    consent: 'rehearses',
    answer: 'User',
    examples: [
      'assistant users reset-password ada@example.com',
      'ASSISTANT_PASSWORD="$PW" assistant users reset-password ada@example.com --json',
    ],
    async run(session, options: Consent, called: string) {
      const { actor, terminal } = session;
      const { resetPassword } = await import('./users/manage-users.js');
      const { presentUser } = await import('./users/accounts.schema.js');
      const { checkPassword } = await import('./users/create-user.js');
      const { id } = await findUser(session.app, actor, called);
      const password = await askForNewPassword(terminal, 'New password', checkPassword);
      return carryOut(session, options, {
        work: (app) => resetPassword(app, actor, { id, password }),
        tell: (user) => [
          presentUser(user),
          `${printable(user.email)} has a new password; all sessions and tokens ended.`,
        ],
      });
    },
  });
}

function addDelete(users: CommandGroup): void {
  users.change({
    name: 'delete',
    description:
      'delete a user for good (to end only the access: users disable; to delete all data about the person: people erase)',
    argument: userArgument,
    answer: '{ id, email, deleted }',
    examples: ['assistant users delete ada@example.com --yes'],
    find: findUser,
    asks: ({ email }) => `Delete the user ${email}?`,
    work: async (app, actor, { id }) =>
      (await import('./users/manage-users.js')).deleteUser(app, actor, id),
    tell: (_, { id, email }) => [{ id, email, deleted: true }, `Deleted ${email}.`],
  });
}

interface UserChange {
  name: string;
  description: string;
  /** The question before access or data is removed. */
  asks?: (user: User) => string;
  work: (app: App, actor: Actor, user: User) => Promise<User>;
  done: (email: string) => string;
}

function addChange(users: CommandGroup, { done, ...change }: UserChange): void {
  const sure = change.asks === undefined ? '' : ' --yes';
  users.change({
    ...change,
    argument: userArgument,
    answer: 'User',
    examples: [`assistant users ${change.name} ada@example.com${sure}`],
    find: findUser,
    async tell(user) {
      const { presentUser } = await import('./users/accounts.schema.js');
      return [presentUser(user), done(user.email)];
    },
  });
}

async function findUser(...wanted: Parameters<typeof getUserNamed>): Promise<User> {
  return (await import('./users/manage-users.js')).getUserNamed(...wanted);
}
