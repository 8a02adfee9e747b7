import { visibilities, type Visibility } from '../platform/actor.js';
import {
  named,
  type Argument,
  type CommandGroup,
  type Option,
} from '../platform/cli/command-group.js';
import { oneLine, oneOf } from '../platform/cli/arguments.js';
import {
  askForChanges,
  askForField,
  isUnchanged,
  optionsOf,
} from '../platform/cli/ask-for-changes.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';

const tiers = [...visibilities, 'none'] as const;
type Tier = (typeof tiers)[number];

interface Options extends Consent {
  name?: string;
  defaultVisibility?: Tier;
}

const appArgument: Argument = ['<app>', `its ${named}`];
/** For lists: only the records of one app. */
export const ofApp: Option = ['--app <app>', `only those of this app (its ${named})`];
/** The app of a new record. */
export const theApp: Option = ['--app <app>', `the app: its ${named} (default: the first one)`];

const fields = {
  name: {
    flags: '--name <name>',
    about: 'the name of the app',
    what: 'Name of the app',
    read: oneLine('--name'),
  },
  defaultVisibility: {
    flags: '--default-visibility <tier>',
    about: `visibility of entries that name none: ${visibilities.join(', ')}; or none, which means public`,
    what: `Default visibility (${tiers.join(', ')})`,
    read: oneOf('--default-visibility', tiers),
  },
};
const answer = 'the app: {id, name, default_knowledge_visibility, created_at, updated_at}';

export function addAppCommands(program: CommandGroup): void {
  const description = 'the applications that knowledge, domains and keys belong to';
  const apps = program.group('apps', description);
  apps.list({
    things: 'apps',
    description: 'list the apps, the first one first',
    first: 'Create one with: assistant apps create --name <name>',
    examples: ['assistant apps list', 'assistant apps list --json | jq ".data[] | {id, name}"'],
    async load({ app, actor }, page) {
      const { listAppsPage } = await import('./manage-apps.js');
      const { presentApp } = await import('./tenancy.schema.js');
      return { ...(await listAppsPage(app, actor, page)), present: presentApp };
    },
    columns: [
      { title: 'id', value: ({ id }) => id },
      { title: 'default', value: (site) => site.defaultKnowledgeVisibility ?? 'public' },
      { title: 'name', value: ({ name }) => name, flexible: true },
    ],
  });
  apps.add({
    name: 'create',
    formerly: ['add'],
    description: 'create an app',
    options: optionsOf(fields),
    consent: 'rehearses',
    answer,
    examples: [
      'assistant apps create --name Shop',
      'assistant apps create --name "Staff portal" --default-visibility internal',
    ],
    async run(session, options: Options) {
      const { createApp } = await import('./manage-apps.js');
      const { presentApp } = await import('./tenancy.schema.js');
      const name = await askForField(session.terminal, options.name, fields.name);
      const defaultKnowledgeVisibility = tierOf(options.defaultVisibility);
      return carryOut(session, options, {
        work: (app) => createApp(app, session.actor, { name, defaultKnowledgeVisibility }),
        tell: (site) => [presentApp(site), `Created ${site.name} as app ${site.id}.`],
        notes: ({ id }) => [`Its domain: assistant domains create --host <host> --app ${id}`],
      });
    },
  });
  apps.add({
    name: 'edit',
    description:
      'change the name or the default visibility of an app; entries keep theirs; without options, each value is asked for',
    arguments: [appArgument],
    options: optionsOf(fields),
    consent: 'rehearses',
    answer,
    examples: [
      'assistant apps edit Shop --name "Web shop"',
      'assistant apps edit 2 --default-visibility none',
    ],
    async run(session, options: Options, called: string) {
      const { getAppNamed } = await import('./name-site.js');
      const { updateApp } = await import('./manage-apps.js');
      const { presentApp } = await import('./tenancy.schema.js');
      const site = await getAppNamed(session.app, session.actor, called);
      const { name, defaultVisibility } = await askForChanges(session.terminal, options, fields, {
        name: site.name,
        defaultVisibility: site.defaultKnowledgeVisibility ?? 'none',
      });
      const change = { name, defaultKnowledgeVisibility: tierOf(defaultVisibility) };
      return carryOut(session, options, {
        work: (app) => updateApp(app, session.actor, site.id, change),
        tell: (changed) => [
          presentApp(changed),
          isUnchanged(change) ? 'Nothing was changed.' : `Changed app ${site.id}, ${changed.name}.`,
        ],
      });
    },
  });
  apps.change({
    name: 'delete',
    formerly: ['remove'],
    description:
      'delete an app that has no entries, batches or domains, with its views, keys and end users',
    argument: appArgument,
    answer: '{id, name, removed}',
    examples: ['assistant apps delete Shop --yes', 'assistant apps delete 2 --dry-run'],
    find: async (...wanted) => (await import('./name-site.js')).getAppNamed(...wanted),
    asks: ({ name }) => `Delete the app ${name}, with its views, keys and end users?`,
    work: async (app, actor, { id }) =>
      (await import('./manage-apps.js')).deleteApp(app, actor, id),
    tell: (_, { id, name }) => [{ id, name, removed: true }, `Deleted the app ${name}.`],
  });
}

function tierOf(tier: Tier | undefined): Visibility | null | undefined {
  return tier === 'none' ? null : tier;
}
