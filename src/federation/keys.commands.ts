import type { Command } from 'commander';
import type { App } from '../platform/app.js';
import { widgetKeyKinds, type WidgetKeyKind } from '../platform/actor.js';
import { duration, oneLine, oneOf, wholeNumber } from '../platform/cli/arguments.js';
import { carryOut, withConsent, withDryRun, type Consent } from '../platform/cli/carry-out.js';
import {
  withAnswer,
  withExamples,
  type Cli,
  type ExitCode,
  type Session,
} from '../platform/cli/cli.js';
import { showList, withPaging, type ListOptions } from '../platform/cli/list.js';
import { askFor } from '../platform/cli/prompts.js';
import { keepSecret, placeForSecret, secretFileHelp } from '../platform/cli/secret-file.js';
import { printable } from '../platform/cli/terminal.js';
import type { KeyWithSecret } from './manage-widget-keys.js';

interface CreateOptions extends Consent {
  app?: string;
  kind: WidgetKeyKind;
  name?: string;
  secretFile?: string;
}

interface RotateOptions extends Consent {
  overlap?: number;
  secretFile?: string;
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
    withPaging(keys.command('list'), 'keys')
      .description('list the widget keys of the organization, revoked ones included')
      .option('--app <app>', 'of one app alone: its number or name'),
    'assistant keys list',
    'assistant keys list --app 2 --json | jq ".data[].key"',
  ).action(async (options: ListOptions & { app?: string }, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listWidgetKeys } = await import('./manage-widget-keys.js');
      const { presentKey } = await import('./federation.schema.js');
      const { getAppNamed } = await import('../tenancy/name-site.js');
      const { page, limit, app: ofApp } = options;
      const appId = ofApp === undefined ? undefined : (await getAppNamed(app, actor, ofApp)).id;
      return showList(out, await listWidgetKeys(app, actor, { page, limit, appId }), options, {
        things: 'keys',
        columns: [
          { title: 'id', value: (key) => String(key.id) },
          { title: 'app', value: (key) => String(key.appId), spare: 2 },
          { title: 'kind', value: (key) => key.kind, spare: 1 },
          { title: 'key', value: (key) => key.key },
          { title: 'secrets', value: (key) => String(key.secrets.length), spare: 3 },
          { title: 'revoked', value: (key) => key.revokedAt?.slice(0, 10) ?? '' },
          { title: 'name', value: (key) => key.name, flexible: true },
        ],
        present: presentKey,
      });
    });
  });
}

const keyAnswer =
  'the key as the API has it, with secret_file, or with secret where standard output gets it';

function addCreate(keys: Command, cli: Cli): void {
  withExamples(
    withDryRun(withAnswer(keys.command('create'), keyAnswer))
      .description('make a widget key of an app; its secret is shown once')
      .option('--app <app>', 'the app: its number or name (else the first one)')
      .option(
        '--kind <kind>',
        'public: shows public knowledge; authenticated: also what is for signed-in people',
        oneOf('--kind', widgetKeyKinds),
        'public',
      )
      .option('--name <name>', 'what it is for, e.g. "documentation site"', oneLine('--name'))
      .option('--secret-file <file>', secretFileHelp),
    'assistant keys create --name "documentation site"',
    'assistant keys create --name ci --secret-file site.secret --json | jq -r .key',
    'assistant keys create --app 2 --kind authenticated --name portal --secret-file portal.secret',
  ).action(async (options: CreateOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { app, actor, terminal } = session;
      const { createWidgetKey } = await import('./manage-widget-keys.js');
      const { getAppNamed } = await import('../tenancy/name-site.js');
      const { id: appId } = await getAppNamed(app, actor, options.app);
      const name = await askFor(terminal, options.name, {
        option: '--name',
        what: 'What the key is for',
        check: oneLine('--name'),
      });
      const place = placeForSecret(session, options.secretFile);
      const input = { appId, kind: options.kind, name };
      const make = (app: App) => createWidgetKey(app, actor, input);
      if (options.dryRun === true) return rehearsed(session, `Made a key for ${name}.`, make);
      const made = await keepSecret(place.file, () => make(app), secretOf);
      await show(session, made, place.file);
      session.out.note(`To put it on a page: assistant keys snippet ${made.key.id}`);
      return 0;
    });
  });
}

function addRevoke(keys: Command, cli: Cli): void {
  withExamples(
    withConsent(
      keys.command('revoke').argument('<id>', 'as keys list shows it', wholeNumber('<id>')),
    ).description('end a key, its secrets and its user tokens, at once and for good'),
    'assistant keys revoke 7 --yes',
  ).action(async (id: number, options: Consent, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { actor } = session;
      const { getWidgetKey, revokeWidgetKey } = await import('./manage-widget-keys.js');
      const { presentKey } = await import('./federation.schema.js');
      const { name } = await getWidgetKey(session.app, actor, id);
      return carryOut(session, options, {
        question: `End the key ${printable(name)}, and the widget on all pages that have it?`,
        work: async (app) => {
          await revokeWidgetKey(app, actor, id);
          return getWidgetKey(app, actor, id);
        },
        tell: (revoked) => [presentKey(revoked), `Revoked the key ${printable(name)}.`],
      });
    });
  });
}

function addRotateSecret(keys: Command, cli: Cli): void {
  withExamples(
    withDryRun(withAnswer(keys.command('rotate-secret'), keyAnswer))
      .argument('<id>', 'as keys list shows it', wholeNumber('<id>'))
      .description('give a key another secret, shown once; the one before holds on for a while')
      .option(
        '--overlap <time>',
        'how long the one before still holds: 90s, 30m, 7d or 0 (24h unless given)',
        duration('--overlap', '30d'),
      )
      .option('--secret-file <file>', secretFileHelp),
    'assistant keys rotate-secret 7 --overlap 24h --secret-file portal.secret',
    'assistant keys rotate-secret 7 --overlap 0 --secret-file - --json | jq -r .secret',
  ).action(async (id: number, options: RotateOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { actor } = session;
      const place = placeForSecret(session, options.secretFile);
      const { rotateSecret } = await import('./manage-widget-keys.js');
      const input = { overlapSeconds: options.overlap ?? 86_400 };
      const rotate = (app: App) => rotateSecret(app, actor, id, input);
      if (options.dryRun === true) {
        return rehearsed(session, `Gave key ${id} another secret.`, rotate);
      }
      const rotated = await keepSecret(place.file, () => rotate(session.app), secretOf);
      await show(session, rotated, place.file);
      return 0;
    });
  });
}

function secretOf({ secret }: KeyWithSecret): string {
  return secret;
}

/** What would come of it, without the secret: it opens nothing. */
async function rehearsed(
  session: Session,
  text: string,
  work: (app: App) => Promise<KeyWithSecret>,
): Promise<ExitCode> {
  const { presentKey } = await import('./federation.schema.js');
  const tell = ({ key }: KeyWithSecret): [object, string] => [presentKey(key), printable(text)];
  return carryOut(session, { dryRun: true }, { work, tell });
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
