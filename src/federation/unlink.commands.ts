import type { Command } from 'commander';
import { carryOut, withConsent, type Consent } from '../platform/cli/carry-out.js';
import { withExamples, type Cli } from '../platform/cli/cli.js';
import { printable } from '../platform/cli/terminal.js';

interface UnlinkOptions extends Consent {
  app?: string;
}

/** To the commands about users. */
export function addUnlinkCommand(users: Command, cli: Cli): void {
  withExamples(
    withConsent(users.command('unlink').argument('<email>', 'of the user'))
      .description('end the account links of a user, so that others can link the same sites')
      .option('--app <app>', 'that in one app alone: its number or name'),
    'assistant users unlink ada@example.com --yes',
    'assistant users unlink ada@example.com --app Shop --dry-run',
  ).action(async (address: string, options: UnlinkOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { getUserByEmail } = await import('../accounts/manage-users.js');
      const { getAppNamed } = await import('../tenancy/name-site.js');
      const { endLinksOfUser } = await import('./end-links.js');
      const { app, actor } = session;
      const { id: userId, email } = await getUserByEmail(app, actor, address);
      const appId =
        options.app === undefined ? undefined : (await getAppNamed(app, actor, options.app)).id;
      return carryOut(session, options, {
        question: `End the account links of ${printable(email)}?`,
        work: (app) => endLinksOfUser(app, actor, { userId, appId }),
        tell: (ended) => [
          { id: userId, email, ended },
          `Ended ${ended} account ${ended === 1 ? 'link' : 'links'} of ${printable(email)}.`,
        ],
      });
    });
  });
}
