import type { Argument, CommandGroup } from '../platform/cli/command-group.js';
import { oneLine } from '../platform/cli/arguments.js';
import {
  askForChanges,
  askForField,
  isUnchanged,
  optionsOf,
} from '../platform/cli/ask-for-changes.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';
import type { Page } from '../platform/db/select-page.js';
import { ofApp, theApp } from './apps.commands.js';

interface Options extends Consent {
  app?: string;
  path?: string;
  title?: string;
}

const argument: Argument = ['<view>', 'its number, path, or the beginning of the path'];
const fields = {
  path: {
    flags: '--path <path>',
    about: 'the canonical path that its pages publish, e.g. /invoices/:id',
    what: 'Path, e.g. /invoices/:id',
    read: oneLine('--path', 1000),
  },
  title: {
    flags: '--title <title>',
    about: 'what the view is called',
    what: 'Title',
    read: oneLine('--title'),
  },
};
const answer = 'the view: {id, app_id, path, title, created_at, updated_at}';

export function addViewCommands(program: CommandGroup): void {
  const description = 'the views of an app, which entries can be bound to';
  const views = program.group('views', description);
  views.list({
    things: 'views',
    description: 'list the views by path',
    first: 'Create one with: assistant views create --path <path> --title <title>',
    options: [ofApp],
    examples: ['assistant views list --app Shop'],
    async load({ app, actor }, { page, limit, app: called }: { app?: string } & Page) {
      const { listViewsPage } = await import('./manage-views.js');
      const { appIdNamed } = await import('./name-site.js');
      const { presentView } = await import('./tenancy.schema.js');
      const appId = await appIdNamed(app, actor, called);
      return { ...(await listViewsPage(app, actor, { page, limit, appId })), present: presentView };
    },
    columns: [
      { title: 'id', value: ({ id }) => id },
      { title: 'app', value: ({ appId }) => appId },
      { title: 'path', value: ({ path }) => path, flexible: true },
      { title: 'title', value: ({ title }) => title, flexible: true },
    ],
  });
  views.add({
    name: 'create',
    formerly: ['add'],
    description: 'create a view of an app',
    options: [...optionsOf(fields), theApp],
    consent: 'rehearses',
    answer,
    examples: [
      'assistant views create --path /invoices/:id --title "One invoice"',
      'assistant views create --app Shop --path /cart --title Cart --json | jq .id',
    ],
    async run(session, options: Options) {
      const { createView } = await import('./manage-views.js');
      const { getAppNamed } = await import('./name-site.js');
      const { presentView } = await import('./tenancy.schema.js');
      const path = await askForField(session.terminal, options.path, fields.path);
      const title = await askForField(session.terminal, options.title, fields.title);
      const { id: appId } = await getAppNamed(session.app, session.actor, options.app);
      return carryOut(session, options, {
        work: (app) => createView(app, session.actor, { appId, path, title }),
        tell: (view) => [presentView(view), `Created ${view.path} as view ${view.id}.`],
      });
    },
  });
  views.add({
    name: 'edit',
    description:
      'change the path or title of a view; its entries stay bound to it; without options, each value is asked for',
    arguments: [argument],
    options: optionsOf(fields),
    consent: 'rehearses',
    answer,
    examples: ['assistant views edit 4 --path /bills/:id'],
    async run(session, options: Options, called: string) {
      const { canonicalPath, updateView } = await import('./manage-views.js');
      const { getViewNamed } = await import('./name-site.js');
      const { presentView } = await import('./tenancy.schema.js');
      const { id, path, title } = await getViewNamed(session.app, session.actor, called);
      const checked = { ...fields, path: { ...fields.path, read: canonicalPath } };
      const change = await askForChanges(session.terminal, options, checked, { path, title });
      return carryOut(session, options, {
        work: (app) => updateView(app, session.actor, id, change),
        tell: (view) => {
          const changed = `Changed view ${id}, ${view.path}.`;
          return [presentView(view), isUnchanged(change) ? 'Nothing was changed.' : changed];
        },
      });
    },
  });
  views.change({
    name: 'delete',
    formerly: ['remove'],
    description: 'delete a view that no entry is bound to',
    argument,
    answer: '{id, path, removed}',
    examples: ['assistant views delete 4 --yes'],
    find: async (...wanted) => (await import('./name-site.js')).getViewNamed(...wanted),
    asks: ({ path }) => `Delete the view ${path}?`,
    work: async (app, actor, { id }) =>
      (await import('./manage-views.js')).deleteView(app, actor, id),
    tell: (_, { id, path }) => [{ id, path, removed: true }, `Deleted the view ${path}.`],
  });
}
