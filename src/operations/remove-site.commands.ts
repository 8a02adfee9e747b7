import type { CommandGroup } from '../platform/cli/command-group.js';
import { appArgument } from '../tenancy/apps.commands.js';
import { organizationArgument } from '../tenancy/orgs.commands.js';

/** To the commands about apps. */
export function addDeleteApp(apps: CommandGroup): void {
  apps.change({
    name: 'delete',
    formerly: ['remove'],
    description:
      'delete an app that has no entries, batches or domains, with its views, keys and end users',
    argument: appArgument,
    answer: '{id, name, removed}',
    examples: ['assistant apps delete Shop --yes', 'assistant apps delete 2 --dry-run'],
    find: async (...wanted) => (await import('../tenancy/name-site.js')).getAppNamed(...wanted),
    asks: ({ name }) => `Delete the app ${name}, with its views, keys and end users?`,
    work: async (app, actor, { id }) => (await import('./delete-app.js')).deleteApp(app, actor, id),
    tell: (_, { id, name }) => [{ id, name, removed: true }, `Deleted the app ${name}.`],
  });
}

/** To the commands about organizations. */
export function addDeleteOrganization(orgs: CommandGroup): void {
  orgs.change({
    name: 'delete',
    formerly: ['remove'],
    description:
      'delete an organization that has no apps and entries, with its people and conversations',
    argument: organizationArgument,
    answer: '{id, slug, removed}',
    examples: [
      'assistant orgs delete globex --yes',
      'assistant orgs delete my-organization --org globex --yes',
    ],
    find: async (...wanted) =>
      (await import('../tenancy/all-organizations.js')).getOrganizationNamed(...wanted),
    asks: ({ name }) => `Delete ${name}, with its people, conversations and its log?`,
    work: async (app, actor, { slug }) =>
      (await import('./delete-organization.js')).deleteOrganization(app, actor, slug),
    tell: ({ id, slug, name }) => [
      { id, slug, removed: true },
      `Deleted the organization ${name}.`,
    ],
  });
}
