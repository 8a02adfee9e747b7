import { userArgument } from '../accounts/change-user.commands.js';
import type { CommandGroup } from '../platform/cli/command-group.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';
import { printable } from '../platform/text/printable.js';
import { counted } from '../platform/text/counted.js';
import { ofApp } from '../tenancy/apps.commands.js';

export function addUnlinkCommand(users: CommandGroup): void {
  users.add({
    name: 'unlink',
    description: 'end the account links of a user, so that others can link the same sites',
    arguments: [userArgument],
    options: [ofApp],
    consent: 'asks',
    answer: '{ id, email, ended }',
    examples: [
      'assistant users unlink ada@example.com --yes',
      'assistant users unlink ada@example.com --app Shop --dry-run',
    ],
    async run(session, options: Consent & { app?: string }, called: string) {
      const { getUserNamed } = await import('../accounts/users/manage-users.js');
      const { appIdNamed } = await import('../tenancy/name-site.js');
      const { endLinksOfUser } = await import('./end-links.js');
      const { app, actor } = session;
      const user = await getUserNamed(app, actor, called, { whole: options.yes });
      const email = printable(user.email);
      const appId = await appIdNamed(app, actor, options.app);
      return carryOut(session, options, {
        question: `End the account links of ${email}?`,
        work: (app) => endLinksOfUser(app, actor, { userId: user.id, appId }),
        tell: (ended) => [
          { id: user.id, email: user.email, ended },
          `Ended ${counted(ended, 'account link')} of ${email}.`,
        ],
      });
    },
  });
}
