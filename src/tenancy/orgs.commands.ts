import type { Command } from 'commander';
import { oneLine } from '../platform/cli/arguments.js';
import { askForChanges } from '../platform/cli/ask-for-changes.js';
import { carryOut, withDryRun, type Consent } from '../platform/cli/carry-out.js';
import { withAnswer, withExamples, type Cli } from '../platform/cli/cli.js';
import { showList, withPaging, type ListOptions } from '../platform/cli/list.js';
import { askFor } from '../platform/cli/prompts.js';
import { printable } from '../platform/cli/terminal.js';

interface AddOptions extends Consent {
  name?: string;
  slug?: string;
}

/** `more`: commands about organizations that stand on more than these. */
export function addOrganizationCommands(
  program: Command,
  cli: Cli,
  more: ((orgs: Command, cli: Cli) => void)[] = [],
): void {
  const orgs = program
    .command('orgs')
    .description('the organizations on this machine; --org <slug> acts in one');
  addList(orgs, cli);
  addAdd(orgs, cli);
  addEdit(orgs, cli);
  for (const add of more) add(orgs, cli);
}

function addList(orgs: Command, cli: Cli): void {
  withExamples(
    withPaging(orgs.command('list'), 'organizations').description(
      'list all organizations, the first one first',
    ),
    'assistant orgs list',
    'assistant orgs list --json | jq -r ".data[].slug"',
  ).action(async (options: ListOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listAllOrganizations } = await import('./all-organizations.js');
      const { presentOrganization } = await import('./tenancy.schema.js');
      return showList(out, await listAllOrganizations(app, actor, options), options, {
        things: 'organizations',
        columns: [
          { title: 'id', value: (one) => String(one.id) },
          { title: 'slug', value: (one) => one.slug, flexible: true },
          { title: 'name', value: (one) => one.name, flexible: true },
        ],
        present: presentOrganization,
      });
    });
  });
}

function addAdd(orgs: Command, cli: Cli): void {
  withExamples(
    withDryRun(
      withAnswer(orgs.command('add'), 'the organization: {id, name, slug, created_at, updated_at}'),
    )
      .description('add an organization; what it owns no other one sees')
      .option('--name <name>', 'what it is called', oneLine('--name'))
      .option('--slug <slug>', 'names it on the command line (else made of the name)'),
    'assistant orgs add --name Globex',
    'assistant orgs add --name "Globex Iberia" --slug globex-es --json | jq .id',
  ).action(async (options: AddOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { addOrganization } = await import('./all-organizations.js');
      const { presentOrganization } = await import('./tenancy.schema.js');
      const asked = { option: '--name', what: 'Name', check: oneLine('--name') };
      const name = await askFor(session.terminal, options.name, asked);
      const { slug } = options;
      let added = '';
      const code = await carryOut(session, options, {
        work: (app) => addOrganization(app, session.actor, { name, slug }),
        tell: (made) => {
          added = made.slug;
          return [presentOrganization(made), `Added ${printable(made.name)} as ${made.slug}.`];
        },
      });
      if (options.dryRun === true) return code;
      session.out.note(`Its first app: assistant --org ${added} apps add --name Documentation`);
      return code;
    });
  });
}

function addEdit(orgs: Command, cli: Cli): void {
  withExamples(
    withDryRun(
      withAnswer(
        orgs.command('edit'),
        'the organization: {id, name, slug, created_at, updated_at}',
      ),
    )
      .argument('<slug>', 'as orgs list shows it')
      .description('rename an organization; its slug stays')
      .option('--name <name>', 'what it is called from now on', oneLine('--name')),
    'assistant orgs edit globex --name "Globex Corporation"',
  ).action(async (slug: string, options: AddOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { getOrganizationBySlug } = await import('./all-organizations.js');
      const { updateOrganization } = await import('./manage-organization.js');
      const { presentOrganization } = await import('./tenancy.schema.js');
      const found = await getOrganizationBySlug(session.app, session.actor, slug);
      const change = await askForChanges<{ name: string }>(
        session.terminal,
        { name: options.name },
        {
          name: { option: '--name', what: 'Name', present: found.name, read: oneLine('--name') },
        },
      );
      // The machine's operator acts in each of its organizations.
      const actor = { ...session.actor, organizationId: found.id };
      return carryOut(session, options, {
        work: (app) => updateOrganization(app, actor, found.id, change),
        tell: (one) => [presentOrganization(one), `${one.slug} is called ${printable(one.name)}.`],
      });
    });
  });
}
