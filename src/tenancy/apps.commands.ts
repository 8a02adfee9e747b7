import type { Command } from 'commander';
import { visibilities, type Visibility } from '../platform/actor.js';
import { oneLine, oneOf } from '../platform/cli/arguments.js';
import { askForChanges, isUnchanged } from '../platform/cli/ask-for-changes.js';
import { carryOut, withDryRun, type Consent } from '../platform/cli/carry-out.js';
import { withAnswer, withExamples, type Cli } from '../platform/cli/cli.js';
import { showList, withPaging, type ListOptions } from '../platform/cli/list.js';
import { askFor } from '../platform/cli/prompts.js';
import { printable } from '../platform/cli/terminal.js';

const tiers = [...visibilities, 'none'] as const;
type Tier = (typeof tiers)[number];

interface Fields extends Consent {
  name?: string;
  defaultVisibility?: Tier;
}

/** `more`: commands about apps that stand on more than these. */
export function addAppCommands(
  program: Command,
  cli: Cli,
  more: ((apps: Command, cli: Cli) => void)[] = [],
): void {
  const apps = program
    .command('apps')
    .description('the applications that knowledge, domains and keys belong to');
  addList(apps, cli);
  addAdd(apps, cli);
  addEdit(apps, cli);
  for (const add of more) add(apps, cli);
}

function addList(apps: Command, cli: Cli): void {
  withExamples(
    withPaging(apps.command('list'), 'apps').description('list the apps, the first one first'),
    'assistant apps list',
    'assistant apps list --json | jq ".data[] | {id, name}"',
  ).action(async (options: ListOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listAppsPage } = await import('./manage-apps.js');
      const { presentApp } = await import('./tenancy.schema.js');
      return showList(out, await listAppsPage(app, actor, options), options, {
        things: 'apps',
        columns: [
          { title: 'id', value: (site) => String(site.id) },
          { title: 'default', value: (site) => site.defaultKnowledgeVisibility ?? 'public' },
          { title: 'name', value: (site) => site.name, flexible: true },
        ],
        present: presentApp,
      });
    });
  });
}

function withFields(command: Command): Command {
  return withDryRun(command)
    .option('--name <name>', 'what it is called', oneLine('--name'))
    .option(
      '--default-visibility <tier>',
      `of entries that are given none: ${visibilities.join(', ')}; or none, which means public`,
      oneOf('--default-visibility', tiers),
    );
}

function tierOf(tier: Tier | undefined): Visibility | null | undefined {
  return tier === 'none' ? null : tier;
}

function addAdd(apps: Command, cli: Cli): void {
  withExamples(
    withFields(
      withAnswer(
        apps.command('add'),
        'the app: {id, name, default_knowledge_visibility, created_at, updated_at}',
      ),
    ).description('add an app'),
    'assistant apps add --name Shop',
    'assistant apps add --name "Staff portal" --default-visibility internal',
  ).action(async (options: Fields, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { createApp } = await import('./create-app.js');
      const { presentApp } = await import('./tenancy.schema.js');
      const asked = { option: '--name', what: 'Name of the app', check: oneLine('--name') };
      const name = await askFor(session.terminal, options.name, asked);
      const defaultKnowledgeVisibility = tierOf(options.defaultVisibility);
      const code = await carryOut(session, options, {
        work: (app) => createApp(app, session.actor, { name, defaultKnowledgeVisibility }),
        tell: (site) => [presentApp(site), `Added ${printable(site.name)} as app ${site.id}.`],
      });
      if (options.dryRun === true) return code;
      session.out.note('Where it runs: assistant domains add --host <host> --app <app>');
      return code;
    });
  });
}

function addEdit(apps: Command, cli: Cli): void {
  withExamples(
    withFields(
      withAnswer(
        apps.command('edit'),
        'the app: {id, name, default_knowledge_visibility, created_at, updated_at}',
      ).argument('<app>', 'its number or name'),
    ).description(
      'rename an app, or give it another default (asked for with nothing given); entries keep the visibility that they have',
    ),
    'assistant apps edit Shop --name "Web shop"',
    'assistant apps edit 2 --default-visibility none',
  ).action(async (called: string, options: Fields, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { getAppNamed } = await import('./name-site.js');
      const { updateApp } = await import('./manage-apps.js');
      const { presentApp } = await import('./tenancy.schema.js');
      const present = await getAppNamed(session.app, session.actor, called);
      const { id } = present;
      const { name, defaultVisibility } = await askForChanges<{
        name: string;
        defaultVisibility: Tier;
      }>(
        session.terminal,
        { name: options.name, defaultVisibility: options.defaultVisibility },
        {
          name: { option: '--name', what: 'Name', present: present.name, read: oneLine('--name') },
          defaultVisibility: {
            option: '--default-visibility',
            what: `Default visibility (${tiers.join(', ')})`,
            present: present.defaultKnowledgeVisibility ?? 'none',
            read: oneOf('--default-visibility', tiers),
          },
        },
      );
      const change = { name, defaultKnowledgeVisibility: tierOf(defaultVisibility) };
      return carryOut(session, options, {
        work: (app) => updateApp(app, session.actor, id, change),
        tell: (site) => {
          const changed = `Changed app ${id}, ${printable(site.name)}.`;
          return [presentApp(site), isUnchanged(change) ? 'Nothing was changed.' : changed];
        },
      });
    });
  });
}
