import type { App } from '../platform/app.js';
import { widgetKeyKinds, type WidgetKeyKind } from '../platform/actor.js';
import type { Argument, CommandGroup } from '../platform/cli/command-group.js';
import { duration, oneLine, oneOf } from '../platform/cli/arguments.js';
import { askForField, optionsOf } from '../platform/cli/ask-for-changes.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';
import type { ExitCode, Session } from '../platform/cli/cli.js';
import { keepSecret, placeForSecret, secretFileOption } from '../platform/cli/secret-file.js';
import { printable } from '../platform/text/printable.js';
import type { Page } from '../platform/db/select-page.js';
import { ofApp, theApp } from '../tenancy/apps.commands.js';
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

export const keyArgument: Argument = [
  '<key>',
  'its number, name, text (wk_live_…), or the beginning of one',
];
const fields = {
  name: {
    flags: '--name <name>',
    about: 'what it is for, e.g. "documentation site"',
    what: 'What the key is for',
    read: oneLine('--name'),
  },
};
const answer =
  'the key as the API has it, with secret_file, or with secret where standard output gets it';

export function addKeyCommands(program: CommandGroup): CommandGroup {
  const description = 'the keys with which pages load the widget';
  const keys = program.group('keys', description);
  addList(keys);
  addCreate(keys);
  addRevoke(keys);
  addRotate(keys);
  return keys;
}

function addList(keys: CommandGroup): void {
  keys.list({
    things: 'keys',
    description: 'list the widget keys of the organization, including revoked ones',
    first: 'Create one with: assistant keys create --name <name>',
    options: [ofApp],
    examples: ['assistant keys list', 'assistant keys list --app 2 --json | jq ".data[].key"'],
    async load({ app, actor }, { page, limit, app: called }: { app?: string } & Page) {
      const { listWidgetKeys } = await import('./manage-widget-keys.js');
      const { presentKey } = await import('./federation.schema.js');
      const { appIdNamed } = await import('../tenancy/name-site.js');
      const appId = await appIdNamed(app, actor, called);
      return { ...(await listWidgetKeys(app, actor, { page, limit, appId })), present: presentKey };
    },
    columns: [
      { title: 'id', value: ({ id }) => id },
      { title: 'app', value: ({ appId }) => appId, spare: 2 },
      { title: 'kind', value: ({ kind }) => kind, spare: 1 },
      { title: 'key', value: ({ key }) => key },
      { title: 'secrets', value: ({ secrets }) => secrets.length, spare: 3 },
      { title: 'revoked', value: ({ revokedAt }) => revokedAt, time: 'day' },
      { title: 'name', value: ({ name }) => name, flexible: true },
    ],
  });
}

function addCreate(keys: CommandGroup): void {
  keys.add({
    name: 'create',
    description: 'create a widget key of an app; its secret is shown once',
    options: [
      theApp,
      [
        '--kind <kind>',
        'public: shows public knowledge; authenticated: also what is for signed-in people',
        oneOf('--kind', widgetKeyKinds),
        'public',
      ],
      ...optionsOf(fields),
      secretFileOption,
    ],
    consent: 'rehearses',
    answer,
    examples: [
      'assistant keys create --name "documentation site"',
      'assistant keys create --name ci --secret-file site.secret --json | jq -r .key',
      'assistant keys create --app 2 --kind authenticated --name portal --secret-file portal.secret',
    ],
    async run(session, options: CreateOptions) {
      const { app, actor, terminal } = session;
      const { createWidgetKey } = await import('./manage-widget-keys.js');
      const { getAppNamed } = await import('../tenancy/name-site.js');
      const { id: appId } = await getAppNamed(app, actor, options.app);
      const name = await askForField(terminal, options.name, fields.name);
      const { file } = placeForSecret(session, options.secretFile);
      const input = { appId, kind: options.kind, name };
      const make = (app: App) => createWidgetKey(app, actor, input);
      if (options.dryRun === true) return rehearsed(session, `Created a key for ${name}.`, make);
      const made = await keepSecret(file, () => make(app), secretOf);
      await show(session, made, file);
      session.out.note(`To put it on a page: assistant keys snippet ${made.key.id}`);
      return 0;
    },
  });
}

function addRevoke(keys: CommandGroup): void {
  keys.change({
    name: 'revoke',
    description: 'revoke a key, its secrets and its user tokens, at once and for good',
    argument: keyArgument,
    answer: 'WidgetKey',
    examples: ['assistant keys revoke 7 --yes'],
    find: async (...wanted) => (await import('./manage-widget-keys.js')).getKeyNamed(...wanted),
    asks: ({ name }) => `Revoke the key ${name}, and end the widget on all pages that use it?`,
    async work(app, actor, { id }) {
      const { getWidgetKey, revokeWidgetKey } = await import('./manage-widget-keys.js');
      await revokeWidgetKey(app, actor, id);
      return getWidgetKey(app, actor, id);
    },
    async tell(revoked) {
      const { presentKey } = await import('./federation.schema.js');
      return [presentKey(revoked), `Revoked the key ${revoked.name}.`];
    },
  });
}

function addRotate(keys: CommandGroup): void {
  keys.add({
    name: 'rotate',
    formerly: ['rotate-secret'],
    description: 'give a key a new secret, shown once; the old one stays valid for a while',
    arguments: [keyArgument],
    options: [
      [
        '--overlap <time>',
        'how long the old secret stays valid: 90s, 30m, 7d or 0 (default: 24h)',
        duration('--overlap', '30d'),
      ],
      secretFileOption,
    ],
    consent: 'rehearses',
    answer,
    examples: [
      'assistant keys rotate 7 --overlap 24h --secret-file portal.secret',
      'assistant keys rotate 7 --overlap 0 --secret-file - --json | jq -r .secret',
    ],
    async run(session, options: RotateOptions, called: string) {
      const { actor } = session;
      const { file } = placeForSecret(session, options.secretFile);
      const { getKeyNamed, rotateSecret } = await import('./manage-widget-keys.js');
      const { id } = await getKeyNamed(session.app, actor, called);
      const input = { overlapSeconds: options.overlap ?? 86_400 };
      const rotate = (app: App) => rotateSecret(app, actor, id, input);
      if (options.dryRun === true)
        return rehearsed(session, `Gave key ${id} a new secret.`, rotate);
      await show(session, await keepSecret(file, () => rotate(session.app), secretOf), file);
      return 0;
    },
  });
}

function secretOf({ secret }: KeyWithSecret): string {
  return secret;
}

/** The expected result, without the secret, which would be invalid. */
async function rehearsed(
  session: Session,
  text: string,
  work: (app: App) => Promise<KeyWithSecret>,
): Promise<ExitCode> {
  const { presentKey } = await import('./federation.schema.js');
  const tell = ({ key }: KeyWithSecret): [object, string] => [presentKey(key), printable(text)];
  return carryOut(session, { dryRun: true }, { work, tell });
}

/** A key with its secret, or with the file that contains the secret. */
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
      ? 'Store the secret now, only in your backend: it is not shown again.'
      : `The secret is in ${file}, only for your backend: it is not shown again.`,
  );
}
