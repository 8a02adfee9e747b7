import type { Command } from 'commander';
import { widgetKeyKinds, type WidgetKeyKind } from '../platform/actor.js';
import { oneOf, wholeNumber } from '../platform/cli/arguments.js';
import { withExamples, type Cli, type Session } from '../platform/cli/cli.js';
import { askFor, confirm } from '../platform/cli/prompts.js';
import { keepSecret } from '../platform/cli/secret-file.js';
import { table } from '../platform/cli/table.js';
import { printable } from '../platform/cli/terminal.js';
import type { KeyWithSecret } from './manage-widget-keys.js';

interface CreateOptions {
  app?: number;
  kind: WidgetKeyKind;
  name?: string;
  secretFile?: string;
}

interface ListOptions {
  app?: number;
  page: number;
  limit: number;
}

/** `more`: commands about keys that stand on more than keys. */
export function addKeyCommands(
  program: Command,
  cli: Cli,
  more: ((keys: Command, cli: Cli) => void)[] = [],
): void {
  const keys = program.command('keys').description('the keys with which pages load the widget');
  addList(keys, cli);
  addCreate(keys, cli);
  addRevoke(keys, cli);
  addRotateSecret(keys, cli);
  for (const add of more) add(keys, cli);
}

function addList(keys: Command, cli: Cli): void {
  withExamples(
    keys
      .command('list')
      .description('list the widget keys of the organization, revoked ones included')
      .option('--app <id>', 'of one app alone', wholeNumber('--app'))
      .option('--page <number>', 'from 1', wholeNumber('--page', 1, 1_000_000), 1)
      .option('--limit <number>', 'keys per page', wholeNumber('--limit', 1, 1000), 50),
    'assistant keys list',
    'assistant keys list --app 2 --json | jq ".data[].key"',
  ).action(async (options: ListOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listWidgetKeys } = await import('./manage-widget-keys.js');
      const { presentKey } = await import('./federation.schema.js');
      const { page, limit, app: appId } = options;
      const { items, total } = await listWidgetKeys(app, actor, { page, limit, appId });
      const text = table(
        [
          { title: 'id', value: (key) => String(key.id) },
          { title: 'app', value: (key) => String(key.appId) },
          { title: 'kind', value: (key) => key.kind },
          { title: 'key', value: (key) => key.key },
          { title: 'secrets', value: (key) => String(key.secrets.length) },
          { title: 'revoked', value: (key) => key.revokedAt?.slice(0, 10) ?? '' },
          { title: 'name', value: (key) => key.name, flexible: true },
        ],
        items,
        out.width,
      );
      out.result({ data: items.map(presentKey), pagination: { total, page, limit } }, text);
      out.note(`${items.length} of ${total} keys`);
      return 0;
    });
  });
}

const secretFile = 'write the secret to this new file, which its owner alone may read';

function addCreate(keys: Command, cli: Cli): void {
  withExamples(
    keys
      .command('create')
      .description('make a widget key of an app; its secret is shown once')
      .option('--app <id>', 'the app (else the first one)', wholeNumber('--app'))
      .option(
        '--kind <kind>',
        'public: shows public knowledge; authenticated: also what is for signed-in people',
        oneOf('--kind', widgetKeyKinds),
        'public',
      )
      .option('--name <name>', 'what it is for, e.g. "documentation site"')
      .option('--secret-file <file>', secretFile),
    'assistant keys create --name "documentation site"',
    'assistant keys create --app 2 --kind authenticated --name portal --secret-file portal.secret',
  ).action(async (options: CreateOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { app, actor, terminal } = session;
      const { createWidgetKey } = await import('./manage-widget-keys.js');
      const { chooseApp } = await import('../tenancy/choose-app.js');
      const { id: appId } = (await chooseApp(app, actor, { appId: options.app })).app;
      const name = await askFor(terminal, options.name, {
        option: '--name',
        what: 'What the key is for',
      });
      const made = await keepSecret(options.secretFile, () =>
        createWidgetKey(app, actor, { appId, kind: options.kind, name }),
      );
      await show(session, made, options.secretFile);
      session.out.note(`To put it on a page: assistant keys snippet ${made.key.id}`);
      return 0;
    });
  });
}

function addRevoke(keys: Command, cli: Cli): void {
  withExamples(
    keys
      .command('revoke')
      .argument('<id>', 'as keys list shows it', wholeNumber('<id>'))
      .description('end a key, its secrets and its user tokens, at once and for good')
      .option('--yes', 'do not ask'),
    'assistant keys revoke 7 --yes',
  ).action(async (id: number, options: { yes?: boolean }, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out, terminal }) => {
      const { getWidgetKey, revokeWidgetKey } = await import('./manage-widget-keys.js');
      const { presentKey } = await import('./federation.schema.js');
      const { name } = await getWidgetKey(app, actor, id);
      const question = `End the key ${printable(name)}, and the widget on all pages that have it?`;
      if (!(await confirm(terminal, options.yes, question))) {
        out.note('Nothing was changed.');
        return 1;
      }
      await revokeWidgetKey(app, actor, id);
      const revoked = await getWidgetKey(app, actor, id);
      out.result(presentKey(revoked), `Revoked the key ${printable(name)}.`);
      return 0;
    });
  });
}

function addRotateSecret(keys: Command, cli: Cli): void {
  withExamples(
    keys
      .command('rotate-secret')
      .argument('<id>', 'as keys list shows it', wholeNumber('<id>'))
      .description('give a key another secret, shown once; the one before holds on for a while')
      .option(
        '--overlap <seconds>',
        'how long the one before still holds',
        wholeNumber('--overlap', 0, 30 * 86_400),
        86_400,
      )
      .option('--secret-file <file>', secretFile),
    'assistant keys rotate-secret 7',
    'assistant keys rotate-secret 7 --overlap 0 --secret-file portal.secret',
  ).action(
    async (id: number, options: { overlap: number; secretFile?: string }, command: Command) => {
      await cli.withApp(command, async (session) => {
        const { app, actor } = session;
        const { rotateSecret } = await import('./manage-widget-keys.js');
        const rotated = await keepSecret(options.secretFile, () =>
          rotateSecret(app, actor, id, { overlapSeconds: options.overlap }),
        );
        await show(session, rotated, options.secretFile);
        return 0;
      });
    },
  );
}

/** A key with its secret, or with the file that holds it. */
async function show(
  { out }: Session,
  { key, secret }: KeyWithSecret,
  file: string | undefined,
): Promise<void> {
  const { presentKey } = await import('./federation.schema.js');
  const kept = file === undefined ? { secret } : { secret_file: file };
  const lines = [
    `id      ${key.id}`,
    `key     ${key.key}`,
    ...(file === undefined ? [`secret  ${secret}`] : []),
  ];
  out.result({ ...presentKey(key), ...kept }, lines.join('\n'));
  out.note(
    file === undefined
      ? 'Keep the secret now, for your backend alone: it is not shown again.'
      : `The secret is in ${file}, for your backend alone: it is not shown again.`,
  );
}
