import type { Command } from 'commander';
import { oneLine, wholeNumber } from '../platform/cli/arguments.js';
import { askForChanges, isUnchanged } from '../platform/cli/ask-for-changes.js';
import { carryOut, withConsent, withDryRun, type Consent } from '../platform/cli/carry-out.js';
import { withAnswer, withExamples, type Cli } from '../platform/cli/cli.js';
import { showList, withPaging, type ListOptions } from '../platform/cli/list.js';
import { askFor } from '../platform/cli/prompts.js';
import { printable } from '../platform/cli/terminal.js';

interface Fields extends Consent {
  app?: string;
  path?: string;
  title?: string;
}

const longestPath = 1000;

export function addViewCommands(program: Command, cli: Cli): void {
  const views = program
    .command('views')
    .description('the views of an app, which entries can be bound to');
  addList(views, cli);
  addAdd(views, cli);
  addEdit(views, cli);
  addRemove(views, cli);
}

function addList(views: Command, cli: Cli): void {
  withExamples(
    withPaging(views.command('list'), 'views')
      .description('list the views by path')
      .option('--app <app>', 'of one app alone: its number or name'),
    'assistant views list --app Shop',
  ).action(async (options: ListOptions & { app?: string }, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listViewsPage } = await import('../tenancy/manage-views.js');
      const { getAppNamed } = await import('../tenancy/name-site.js');
      const { presentView } = await import('../tenancy/tenancy.schema.js');
      const { page, limit, app: ofApp } = options;
      const appId = ofApp === undefined ? undefined : (await getAppNamed(app, actor, ofApp)).id;
      return showList(out, await listViewsPage(app, actor, { page, limit, appId }), options, {
        things: 'views',
        columns: [
          { title: 'id', value: (view) => String(view.id) },
          { title: 'app', value: (view) => String(view.appId) },
          { title: 'path', value: (view) => view.path, flexible: true },
          { title: 'title', value: (view) => view.title, flexible: true },
        ],
        present: presentView,
      });
    });
  });
}

function withFields(command: Command): Command {
  return withDryRun(command)
    .option(
      '--path <path>',
      'the canonical path that its pages publish, e.g. /invoices/:id',
      oneLine('--path', longestPath),
    )
    .option('--title <title>', 'what the view is called', oneLine('--title'));
}

function addAdd(views: Command, cli: Cli): void {
  withExamples(
    withFields(
      withAnswer(
        views.command('add'),
        'the view: {id, app_id, path, title, created_at, updated_at}',
      ),
    )
      .description('add a view to an app')
      .option('--app <app>', 'its number or name (else the first one)'),
    'assistant views add --path /invoices/:id --title "One invoice"',
    'assistant views add --app Shop --path /cart --title Cart --json | jq .id',
  ).action(async (options: Fields, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { createView } = await import('../tenancy/manage-views.js');
      const { getAppNamed } = await import('../tenancy/name-site.js');
      const { presentView } = await import('../tenancy/tenancy.schema.js');
      const path = await askFor(session.terminal, options.path, {
        option: '--path',
        what: 'Path, e.g. /invoices/:id',
        check: oneLine('--path', longestPath),
      });
      const title = await askFor(session.terminal, options.title, {
        option: '--title',
        what: 'Title',
        check: oneLine('--title'),
      });
      const { id: appId } = await getAppNamed(session.app, session.actor, options.app);
      return carryOut(session, options, {
        work: (app) => createView(app, session.actor, { appId, path, title }),
        tell: (view) => [presentView(view), `Added ${printable(view.path)} as view ${view.id}.`],
      });
    });
  });
}

function addEdit(views: Command, cli: Cli): void {
  withExamples(
    withFields(
      withAnswer(
        views.command('edit'),
        'the view: {id, app_id, path, title, created_at, updated_at}',
      ).argument('<id>', 'as views list shows it', wholeNumber('<id>')),
    ).description(
      'change the path or title of a view (asked for with nothing given); entries bound to it stay so',
    ),
    'assistant views edit 4 --path /bills/:id',
  ).action(async (id: number, options: Fields, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { canonicalPath, getView, updateView } = await import('../tenancy/manage-views.js');
      const { presentView } = await import('../tenancy/tenancy.schema.js');
      const { path, title } = options;
      const present = await getView(session.app, session.actor, id);
      const change = await askForChanges<{ path: string; title: string }>(
        session.terminal,
        { path, title },
        {
          path: { option: '--path', what: 'Path', present: present.path, read: canonicalPath },
          title: {
            option: '--title',
            what: 'Title',
            present: present.title,
            read: oneLine('--title'),
          },
        },
      );
      return carryOut(session, options, {
        work: (app) => updateView(app, session.actor, id, change),
        tell: (view) => {
          const changed = `Changed view ${id}, ${printable(view.path)}.`;
          return [presentView(view), isUnchanged(change) ? 'Nothing was changed.' : changed];
        },
      });
    });
  });
}

function addRemove(views: Command, cli: Cli): void {
  withExamples(
    withConsent(
      withAnswer(views.command('remove'), '{id, path, removed}').argument(
        '<id>',
        'as views list shows it',
        wholeNumber('<id>'),
      ),
    ).description('remove a view that no entry is bound to'),
    'assistant views remove 4 --yes',
  ).action(async (id: number, options: Consent, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { getView } = await import('../tenancy/manage-views.js');
      const { deleteView } = await import('./delete-view.js');
      const { path } = await getView(session.app, session.actor, id);
      return carryOut(session, options, {
        question: `Remove the view ${printable(path)}?`,
        work: (app) => deleteView(app, session.actor, id),
        tell: () => [{ id, path, removed: true }, `Removed the view ${printable(path)}.`],
      });
    });
  });
}
