import type { Command } from 'commander';
import { carryOut, withConsent, type Consent } from '../platform/cli/carry-out.js';
import { withAnswer, withExamples, type Cli } from '../platform/cli/cli.js';
import { printable } from '../platform/cli/terminal.js';

/** To the commands about apps. */
export function addRemoveApp(apps: Command, cli: Cli): void {
  withExamples(
    withConsent(
      withAnswer(apps.command('remove'), '{id, name, removed}').argument(
        '<app>',
        'its number or name',
      ),
    ).description(
      'remove an app that has no entries, batches or domains, with its views, keys and end users',
    ),
    'assistant apps remove Shop --yes',
    'assistant apps remove 2 --dry-run',
  ).action(async (called: string, options: Consent, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { getAppNamed } = await import('../tenancy/name-site.js');
      const { deleteApp } = await import('./delete-app.js');
      const { id, name } = await getAppNamed(session.app, session.actor, called);
      return carryOut(session, options, {
        question: `Remove the app ${printable(name)}, with its views, keys and end users?`,
        work: (app) => deleteApp(app, session.actor, id),
        tell: () => [{ id, name, removed: true }, `Removed the app ${printable(name)}.`],
      });
    });
  });
}

/** To the commands about organizations. */
export function addRemoveOrganization(orgs: Command, cli: Cli): void {
  withExamples(
    withConsent(
      withAnswer(orgs.command('remove'), '{id, slug, removed}').argument(
        '<slug>',
        'as orgs list shows it',
      ),
    ).description(
      'remove an organization that has no apps and entries, with its people and conversations',
    ),
    'assistant orgs remove globex --yes',
    'assistant orgs remove my-organization --org globex --yes',
  ).action(async (slug: string, options: Consent, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { getOrganizationBySlug } = await import('../tenancy/all-organizations.js');
      const { deleteOrganization } = await import('./delete-organization.js');
      const { name } = await getOrganizationBySlug(session.app, session.actor, slug);
      return carryOut(session, options, {
        question: `Remove ${printable(name)}, with its people, conversations and its log?`,
        work: (app) => deleteOrganization(app, session.actor, slug),
        tell: ({ id }) => [
          { id, slug, removed: true },
          `Removed the organization ${printable(name)}.`,
        ],
      });
    });
  });
}
