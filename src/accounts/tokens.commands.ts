import type { App } from '../platform/app.js';
import { named, type CommandGroup } from '../platform/cli/command-group.js';
import { oneLine, wholeNumber } from '../platform/cli/arguments.js';
import { askForField, optionsOf } from '../platform/cli/ask-for-changes.js';
import { carryOut, type Consent } from '../platform/cli/carry-out.js';
import { keepSecret, placeForSecret, secretFileOption } from '../platform/cli/secret-file.js';
import { printable } from '../platform/text/printable.js';
import type { MintedToken } from './users/mint-token.js';

interface CreateOptions extends Consent {
  user?: string;
  name?: string;
  days?: number;
  secretFile?: string;
}

interface RotateOptions extends Consent {
  retireOld?: boolean;
}

const fields = {
  user: {
    flags: '--user <user>',
    about:
      'the user whose rights it has: the e-mail address, number, or the beginning of the address',
    what: 'E-mail address of the user',
    read: (text: string) => text,
  },
  name: {
    flags: '--name <name>',
    about: 'what it is for, e.g. "docs pipeline"',
    what: 'Name of the token',
    read: oneLine('--name'),
  },
};

export function addTokenCommands(program: CommandGroup): void {
  const tokens = program.group('tokens', 'long-lived tokens for scripts');
  addCreate(tokens);
  addList(tokens);
  addRevoke(tokens);
  addRotateKey(tokens);
}

function addCreate(tokens: CommandGroup): void {
  tokens.add({
    name: 'create',
    formerly: ['mint'],
    description: 'create a named bearer token with the rights of a user; it is shown once',
    options: [
      ...optionsOf(fields),
      ['--days <number>', 'days until it expires (default: never)', wholeNumber('--days')],
      secretFileOption,
    ],
    consent: 'rehearses',
    answer:
      '{ id, name, email, expires_at, token? }; secret_file in place of token where a file gets it',
    examples: [
      'assistant tokens create --user ci@example.com --name "docs pipeline" --days 90',
      'assistant tokens create --user ci@example.com --name ci --secret-file ci.token',
      'assistant tokens create --user ci@example.com --name ci --json | jq -r .token',
    ],
    async run(session, options: CreateOptions) {
      const { actor, out, terminal } = session;
      const { getUserNamed } = await import('./users/manage-users.js');
      const { mintToken } = await import('./users/mint-token.js');
      const user = await askForField(terminal, options.user, fields.user);
      const name = await askForField(terminal, options.name, fields.name);
      const { file } = placeForSecret(session, options.secretFile);
      const { email } = await getUserNamed(session.app, actor, user);
      const make = (app: App) => mintToken(app, actor, { email, name, days: options.days });
      if (options.dryRun === true) {
        const text = printable(`Created the token ${name} for ${email}.`);
        return carryOut(session, options, { work: make, tell: (made) => [present(made), text] });
      }
      const made = await keepSecret(
        file,
        () => make(session.app),
        ({ token }) => token,
      );
      const { token } = made;
      if (file === undefined) out.result({ token, ...present(made) }, token);
      else out.result({ secret_file: file, ...present(made) }, file);
      const whose = printable(`(${name}, for ${email})`);
      out.note(
        file === undefined
          ? `Keep it now: this token ${whose} is not shown again.`
          : `The token ${whose} is in ${file}: it is not shown again.`,
      );
      return 0;
    },
  });
}

function addList(tokens: CommandGroup): void {
  tokens.list({
    things: 'tokens',
    description: 'list the tokens, newest first; their secrets are not stored',
    first: 'Create one with: assistant tokens create --user <user> --name <name>',
    examples: ['assistant tokens list'],
    async load({ app, actor }, page) {
      const { listApiTokens } = await import('./users/api-tokens.js');
      const { presentApiToken } = await import('./users/accounts.schema.js');
      return { ...(await listApiTokens(app, actor, page)), present: presentApiToken };
    },
    columns: [
      { title: 'id', value: ({ id }) => id },
      { title: 'last used', value: (token) => token.lastUsedAt, time: 'day', spare: 1 },
      { title: 'expires', value: (token) => token.expiresAt, time: 'day' },
      { title: 'revoked', value: (token) => token.revokedAt, time: 'day' },
      { title: 'user', value: ({ user }) => user.email, flexible: true },
      { title: 'name', value: ({ name }) => name, flexible: true },
    ],
  });
}

function addRevoke(tokens: CommandGroup): void {
  tokens.change({
    name: 'revoke',
    description: 'revoke a token at once and for good',
    argument: ['<token>', `its ${named}`],
    answer: 'ApiToken',
    examples: ['assistant tokens revoke 7 --yes'],
    find: async (...wanted) => (await import('./users/api-tokens.js')).getTokenNamed(...wanted),
    asks: ({ name }) => `Revoke the token ${name}, so that nothing can use it any more?`,
    work: async (app, actor, { id }) =>
      (await import('./users/api-tokens.js')).revokeApiToken(app, actor, id),
    async tell(token) {
      const { presentApiToken } = await import('./users/accounts.schema.js');
      return [presentApiToken(token), `Revoked the token ${token.name}.`];
    },
  });
}

function addRotateKey(tokens: CommandGroup): void {
  tokens.add({
    name: 'rotate-key',
    description: 'create a new key that signs tokens from now on',
    options: [['--retire-old', 'also end every session and token that older keys signed']],
    consent: 'asks',
    answer:
      '{ kid, created_at, retired_at, retired }: the new key, and how many older ones were retired',
    examples: ['assistant tokens rotate-key', 'assistant tokens rotate-key --retire-old --yes'],
    async run(session, options: RotateOptions) {
      const { presentKey, rotateSigningKey } = await import('./tokens/signing-keys.js');
      const retireOld = options.retireOld === true;
      const question = 'End every session and every token of all organizations?';
      return carryOut(session, options, {
        ...(retireOld ? { question } : {}),
        work: (app) => rotateSigningKey(app, session.actor, { retireOld }),
        tell: ({ key, retired }) => [
          { ...presentKey(key), retired },
          `The key ${key.kid} signs from now on; ${retired} older ones were retired.`,
        ],
      });
    },
  });
}

/** A token without its secret parts. */
function present({ record, name, email, expiresAt }: MintedToken) {
  return { id: record.id, name, email, expires_at: expiresAt };
}
