import type { Command } from 'commander';
import { roles, type Role } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { oneLine, oneOf } from '../platform/cli/arguments.js';
import { askForChanges, isUnchanged } from '../platform/cli/ask-for-changes.js';
import { carryOut, withConsent, withDryRun, type Consent } from '../platform/cli/carry-out.js';
import { withExamples, type Cli } from '../platform/cli/cli.js';
import { askFor } from '../platform/cli/prompts.js';
import { printable } from '../platform/cli/terminal.js';

interface EditOptions extends Consent {
  email?: string;
  name?: string;
  role?: Role;
}

/** To the commands about users. */
export function addEditUser(users: Command, cli: Cli): void {
  withExamples(
    withDryRun(users.command('edit').argument('<email>', 'of the user'))
      .description(
        'change the address, name or role of a user; with nothing given, each is asked for',
      )
      .option('--email <address>', 'the new address')
      .option('--name <name>', 'how the user is shown', oneLine('--name'))
      .option('--role <role>', roles.join(', '), oneOf('--role', roles)),
    'assistant users edit ada@example.com --role admin',
    'assistant users edit ada@example.com --email ada@example.org --name "Ada L."',
  ).action(async (address: string, options: EditOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { app, actor, terminal } = session;
      const { getUserByEmail, updateUser } = await import('./manage-users.js');
      const { checkEmail } = await import('./create-user.js');
      const { presentUser } = await import('./accounts.schema.js');
      const { id, ...present } = await getUserByEmail(app, actor, address);
      const change = await askForChanges<{ email: string; displayName: string; role: Role }>(
        terminal,
        { email: options.email, displayName: options.name, role: options.role },
        {
          email: {
            option: '--email',
            what: 'E-mail address',
            present: present.email,
            read: checkEmail,
          },
          displayName: {
            option: '--name',
            what: 'Name',
            present: present.displayName,
            read: oneLine('--name'),
          },
          role: {
            option: '--role',
            what: `Role (${roles.join(', ')})`,
            present: present.role,
            read: oneOf('--role', roles),
          },
        },
      );
      return carryOut(session, options, {
        work: (app) => updateUser(app, actor, { id, ...change }),
        tell: (user) => {
          const changed = `Changed ${printable(user.email)} (${user.role}).`;
          return [presentUser(user), isUnchanged(change) ? 'Nothing was changed.' : changed];
        },
      });
    });
  });
}

/** To the commands about users. */
export function addSwitches(users: Command, cli: Cli): void {
  withExamples(
    withConsent(users.command('disable').argument('<email>', 'of the user')).description(
      'end all access of a user, and let nobody sign in as it',
    ),
    'assistant users disable ada@example.com --yes',
  ).action((address: string, options: Consent, command: Command) =>
    setDisabled(cli, command, { address, options, disabled: true }),
  );
  withExamples(
    withDryRun(users.command('enable').argument('<email>', 'of the user')).description(
      'let a disabled user sign in again',
    ),
    'assistant users enable ada@example.com',
  ).action((address: string, options: Consent, command: Command) =>
    setDisabled(cli, command, { address, options, disabled: false }),
  );
}

async function setDisabled(
  cli: Cli,
  command: Command,
  { address, options, disabled }: { address: string; options: Consent; disabled: boolean },
): Promise<void> {
  await cli.withApp(command, async (session) => {
    const { actor } = session;
    const { getUserByEmail, updateUser } = await import('./manage-users.js');
    const { presentUser } = await import('./accounts.schema.js');
    const { id, email } = await getUserByEmail(session.app, actor, address);
    const question = `End every session and every token of ${printable(email)}?`;
    return carryOut(session, options, {
      ...(disabled ? { question } : {}),
      work: (app) => updateUser(app, actor, { id, disabled }),
      tell: (user) => [
        presentUser(user),
        `${printable(user.email)} is ${user.disabled ? 'disabled' : 'active'}.`,
      ],
    });
  });
}

/** To the commands about users. Whoever gives another password means it: nothing more is asked. */
export function addResetPassword(users: Command, cli: Cli): void {
  withExamples(
    withDryRun(users.command('reset-password').argument('<email>', 'of the user')).description(
      'give a user another password (asked for, or ASSISTANT_PASSWORD), and end its sessions and tokens',
    ),
    'assistant users reset-password ada@example.com',
    'ASSISTANT_PASSWORD="$PW" assistant users reset-password ada@example.com --json',
  ).action(async (address: string, options: Consent, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { actor, terminal } = session;
      const { getUserByEmail, resetPassword } = await import('./manage-users.js');
      const { presentUser } = await import('./accounts.schema.js');
      const { checkPassword } = await import('./create-user.js');
      const { id } = await getUserByEmail(session.app, actor, address);
      const password = await askFor(terminal, process.env['ASSISTANT_PASSWORD'], {
        option: 'the environment variable ASSISTANT_PASSWORD',
        what: 'New password',
        secret: true,
        check: checkPassword,
      });
      return carryOut(session, options, {
        work: (app: App) => resetPassword(app, actor, { id, password }),
        tell: (user) => [
          presentUser(user),
          `${printable(user.email)} has another password; all sessions and tokens ended.`,
        ],
      });
    });
  });
}

/** To the commands about users. */
export function addResetTwoFactor(users: Command, cli: Cli): void {
  withExamples(
    withConsent(users.command('reset-two-factor').argument('<email>', 'of the user')).description(
      'take away the second factor of a user who lost it, and end all sessions',
    ),
    'assistant users reset-two-factor ada@example.com --yes',
  ).action(async (address: string, options: Consent, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { actor } = session;
      const { getUserByEmail } = await import('./manage-users.js');
      const { resetSecondFactor } = await import('./second-factor/manage-second-factor.js');
      const { presentUser } = await import('./accounts.schema.js');
      const { id, email } = await getUserByEmail(session.app, actor, address);
      return carryOut(session, options, {
        question: `Take the second factor of ${printable(email)} away?`,
        work: (app) => resetSecondFactor(app, actor, id),
        tell: (user) => [
          presentUser(user),
          `${printable(user.email)} has no second factor any more; all sessions ended.`,
        ],
      });
    });
  });
}

/** To the commands about users. */
export function addUnlinkIdentity(users: Command, cli: Cli): void {
  withExamples(
    withConsent(users.command('unlink-identity').argument('<email>', 'of the user')).description(
      'let the next person with this address at an identity provider have the account, and end all sessions',
    ),
    'assistant users unlink-identity ada@example.com --yes',
  ).action(async (address: string, options: Consent, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { actor } = session;
      const { getUserByEmail } = await import('./manage-users.js');
      const { unlinkIdentity } = await import('./sso/unlink-identity.js');
      const { presentUser } = await import('./accounts.schema.js');
      const { id, email } = await getUserByEmail(session.app, actor, address);
      return carryOut(session, options, {
        question: `Give ${printable(email)} to the next person whom an identity provider vouches for with this address?`,
        work: (app) => unlinkIdentity(app, actor, id),
        tell: (user) => [
          presentUser(user),
          `${printable(user.email)} is bound to no identity any more; all sessions ended.`,
        ],
      });
    });
  });
}
