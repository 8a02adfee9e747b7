import type { Command } from 'commander';
import type { App } from '../platform/app.js';
import { oneLine, wholeNumber } from '../platform/cli/arguments.js';
import { carryOut, withConsent, withDryRun, type Consent } from '../platform/cli/carry-out.js';
import { withAnswer, withExamples, type Cli } from '../platform/cli/cli.js';
import { showList, withPaging, type ListOptions } from '../platform/cli/list.js';
import { askFor } from '../platform/cli/prompts.js';
import { keepSecret, placeForSecret, secretFileHelp } from '../platform/cli/secret-file.js';
import { printable } from '../platform/cli/terminal.js';
import type { MintedToken } from './mint-token.js';

interface MintOptions extends Consent {
  user?: string;
  name?: string;
  days?: number;
  secretFile?: string;
}

interface RotateOptions extends Consent {
  retireOld?: boolean;
}

export function addTokenCommands(program: Command, cli: Cli): void {
  const tokens = program.command('tokens').description('long-lived tokens for scripts');
  addMint(tokens, cli);
  addList(tokens, cli);
  addRevoke(tokens, cli);
  addRotateKey(tokens, cli);
}

function addMint(tokens: Command, cli: Cli): void {
  withExamples(
    withDryRun(
      withAnswer(
        tokens.command('mint'),
        '{ id, name, email, expires_at, token? }; secret_file in place of token where a file gets it',
      ),
    )
      .description('make a named bearer token with the rights of a user; it is shown once')
      .option('--user <email>', 'whose rights it has')
      .option('--name <name>', 'what it is for, e.g. "docs pipeline"', oneLine('--name'))
      .option(
        '--days <number>',
        'how long it lives (else until it is revoked)',
        wholeNumber('--days'),
      )
      .option('--secret-file <file>', secretFileHelp),
    'assistant tokens mint --user ci@example.com --name "docs pipeline" --days 90',
    'assistant tokens mint --user ci@example.com --name ci --secret-file ci.token',
    'assistant tokens mint --user ci@example.com --name ci --json | jq -r .token',
  ).action(async (options: MintOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { actor, out, terminal } = session;
      const { mintToken } = await import('./mint-token.js');
      const email = await askFor(terminal, options.user, {
        option: '--user',
        what: 'E-mail address of the user',
      });
      const name = await askFor(terminal, options.name, {
        option: '--name',
        what: 'Name of the token',
        check: oneLine('--name'),
      });
      const { file } = placeForSecret(session, options.secretFile);
      const make = (app: App) => mintToken(app, actor, { email, name, days: options.days });
      if (options.dryRun === true) {
        const text = printable(`Made the token ${name} for ${email}.`);
        return carryOut(session, options, { work: make, tell: (made) => [present(made), text] });
      }
      const minted = await keepSecret(
        file,
        () => make(session.app),
        ({ token }) => token,
      );
      const { token } = minted;
      if (file === undefined) out.result({ token, ...present(minted) }, token);
      else out.result({ secret_file: file, ...present(minted) }, file);
      const whose = printable(`(${name}, for ${minted.email})`);
      out.note(
        file === undefined
          ? `Keep it now: this token ${whose} is not shown again.`
          : `The token ${whose} is in ${file}: it is not shown again.`,
      );
      return 0;
    });
  });
}

/** A token without what must be kept secret of it. */
function present({ record, name, email, expiresAt }: MintedToken) {
  return { id: record.id, name, email, expires_at: expiresAt };
}

function addList(tokens: Command, cli: Cli): void {
  withExamples(
    withPaging(tokens.command('list'), 'tokens').description(
      'list the tokens, newest first; the tokens themselves are not kept',
    ),
    'assistant tokens list',
  ).action(async (options: ListOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listApiTokens } = await import('./api-tokens.js');
      const { presentApiToken } = await import('./accounts.schema.js');
      return showList(out, await listApiTokens(app, actor, options), options, {
        things: 'tokens',
        columns: [
          { title: 'id', value: (token) => String(token.id) },
          { title: 'last used', value: (token) => dayOf(token.lastUsedAt), spare: 1 },
          { title: 'expires', value: (token) => dayOf(token.expiresAt) },
          { title: 'ended', value: (token) => dayOf(token.revokedAt) },
          { title: 'user', value: (token) => token.user.email, flexible: true },
          { title: 'name', value: (token) => token.name, flexible: true },
        ],
        present: presentApiToken,
      });
    });
  });
}

function addRevoke(tokens: Command, cli: Cli): void {
  withExamples(
    withConsent(
      tokens.command('revoke').argument('<id>', 'as tokens list shows it', wholeNumber('<id>')),
    ).description('end a token at once and for good'),
    'assistant tokens revoke 7 --yes',
  ).action(async (id: number, options: Consent, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { getApiToken, revokeApiToken } = await import('./api-tokens.js');
      const { presentApiToken } = await import('./accounts.schema.js');
      const { name } = await getApiToken(session.app, session.actor, id);
      return carryOut(session, options, {
        question: `End the token ${printable(name)}, and what is done with it?`,
        work: (app) => revokeApiToken(app, session.actor, id),
        tell: (token) => [presentApiToken(token), `Revoked the token ${printable(name)}.`],
      });
    });
  });
}

function addRotateKey(tokens: Command, cli: Cli): void {
  withExamples(
    withConsent(
      withAnswer(
        tokens.command('rotate-key'),
        '{ kid, created_at, retired_at, retired }: the new key, and how many older ones were retired',
      ),
    )
      .description('make a new key that signs tokens from now on')
      .option('--retire-old', 'end all that older keys signed: every session, every token'),
    'assistant tokens rotate-key',
    'assistant tokens rotate-key --retire-old --yes',
  ).action(async (options: RotateOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { presentKey, rotateSigningKey } = await import('./signing-keys.js');
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
    });
  });
}

function dayOf(time: string | null): string {
  return time === null ? '' : time.slice(0, 10);
}
