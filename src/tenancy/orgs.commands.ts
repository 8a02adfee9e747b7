import type { Argument, CommandGroup } from '../platform/cli/command-group.js';
import { oneLine } from '../platform/cli/arguments.js';
import { askForChanges, askForField, optionsOf } from '../platform/cli/ask-for-changes.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';

interface Options extends Consent {
  name?: string;
  slug?: string;
  timeZone?: string | null;
}

const organizationArgument: Argument = [
  '<organization>',
  'its slug, number or name, or the beginning of one',
];
const fields = {
  name: {
    flags: '--name <name>',
    about: 'the name of the organization',
    what: 'Name',
    read: oneLine('--name'),
  },
};
const changes = {
  ...fields,
  timeZone: {
    flags: '--time-zone <zone>',
    about: 'the time zone of its figures, e.g. Europe/Madrid; empty: the server’s',
    what: 'Time zone',
    read: (text: string) => text.trim() || null,
  },
};
const answer = 'the organization: {id, name, slug, time_zone, created_at, updated_at}';

interface Changed {
  slug: string;
  name: string;
  timeZone: string | null;
}

function changed({ slug, name, timeZone }: Changed): string {
  const zone = timeZone === null ? 'the server’s time zone' : timeZone;
  return `${slug} is called ${name}. Its figures count days in ${zone}.`;
}

export function addOrganizationCommands(program: CommandGroup): CommandGroup {
  const description = 'the organizations on this machine; --org <slug> selects one';
  const orgs = program.group('orgs', description);
  orgs.list({
    things: 'organizations',
    description: 'list all organizations, the first one first',
    examples: ['assistant orgs list', 'assistant orgs list --json | jq -r ".data[].slug"'],
    async load({ app, actor }, page) {
      const { listAllOrganizations } = await import('./all-organizations.js');
      const { presentOrganization } = await import('./tenancy.schema.js');
      return { ...(await listAllOrganizations(app, actor, page)), present: presentOrganization };
    },
    columns: [
      { title: 'id', value: ({ id }) => id },
      { title: 'slug', value: ({ slug }) => slug, flexible: true },
      { title: 'name', value: ({ name }) => name, flexible: true },
    ],
  });
  orgs.add({
    name: 'create',
    formerly: ['add'],
    description: 'create an organization; no other organization sees what it owns',
    options: [
      ...optionsOf(fields),
      ['--slug <slug>', 'its name on the command line (default: made from the name)'],
    ],
    consent: 'rehearses',
    answer,
    examples: [
      'assistant orgs create --name Globex',
      'assistant orgs create --name "Globex Iberia" --slug globex-es --json | jq .id',
    ],
    async run(session, options: Options) {
      const { addOrganization } = await import('./all-organizations.js');
      const { presentOrganization } = await import('./tenancy.schema.js');
      const name = await askForField(session.terminal, options.name, fields.name);
      const { slug } = options;
      return carryOut(session, options, {
        work: (app) => addOrganization(app, session.actor, { name, slug }),
        tell: (made) => [presentOrganization(made), `Created ${made.name} as ${made.slug}.`],
        notes: (made) => [
          `Its first app: assistant --org ${made.slug} apps create --name Documentation`,
        ],
      });
    },
  });
  orgs.add({
    name: 'edit',
    description: 'change the name or the time zone of an organization; its slug stays',
    arguments: [organizationArgument],
    options: optionsOf(changes),
    consent: 'rehearses',
    answer,
    examples: ['assistant orgs edit globex --name "Globex Corporation"'],
    async run(session, options: Options, called: string) {
      const { getOrganizationNamed } = await import('./all-organizations.js');
      const { updateOrganization } = await import('./manage-organization.js');
      const { presentOrganization } = await import('./tenancy.schema.js');
      const { id, name, timeZone } = await getOrganizationNamed(session.app, session.actor, called);
      const present = { name, timeZone: timeZone ?? '' };
      const change = await askForChanges(session.terminal, options, changes, present);
      // The machine's operator acts in each organization in turn.
      const actor = { ...session.actor, organizationId: id };
      return carryOut(session, options, {
        work: (app) => updateOrganization(app, actor, id, change),
        tell: (one) => [presentOrganization(one), changed(one)],
      });
    },
  });
  orgs.change({
    name: 'delete',
    formerly: ['remove'],
    description:
      'delete an organization that has no apps or entries, with its people and conversations',
    argument: organizationArgument,
    answer: '{id, slug, removed}',
    examples: [
      'assistant orgs delete globex --yes',
      'assistant orgs delete my-organization --org globex --yes',
    ],
    find: async (...wanted) =>
      (await import('./all-organizations.js')).getOrganizationNamed(...wanted),
    asks: ({ name }) => `Delete ${name}, with its people, conversations and its log?`,
    work: async (app, actor, { slug }) =>
      (await import('./all-organizations.js')).deleteOrganization(app, actor, slug),
    tell: ({ id, slug, name }) => [
      { id, slug, removed: true },
      `Deleted the organization ${name}.`,
    ],
  });
  return orgs;
}
