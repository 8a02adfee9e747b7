import type { Command } from 'commander';
import { oneLine, oneOf } from '../../platform/cli/arguments.js';
import { isUnchanged } from '../../platform/cli/ask-for-changes.js';
import { carryOut, withConsent, withDryRun, type Consent } from '../../platform/cli/carry-out.js';
import { withAnswer, withExamples, type Cli } from '../../platform/cli/cli.js';
import { showList, withPaging, type ListOptions } from '../../platform/cli/list.js';
import { askFor } from '../../platform/cli/prompts.js';
import { missingValue, printable } from '../../platform/cli/terminal.js';
import type { IdentityProvider } from './provider.js';
import {
  readProviderOptions,
  withProviderOptions,
  type ProviderOptions,
} from './provider-options.js';

const answer = 'the provider, as the API has it; never its secret';

export function addSsoCommands(program: Command, cli: Cli): void {
  const sso = program
    .command('sso')
    .description('single sign-on: the identity providers that people sign in by');
  addList(sso, cli);
  addShow(sso, cli);
  addCreate(sso, cli);
  addEdit(sso, cli);
  addDelete(sso, cli);
  addCheck(sso, cli);
  addPasswords(sso, cli);
}

function addList(sso: Command, cli: Cli): void {
  withExamples(
    withPaging(sso.command('list'), 'providers').description('list the identity providers'),
    'assistant sso list',
  ).action(async (options: ListOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { getPasswordSignIn, listProviders } = await import('./manage-providers.js');
      const { presentProvider } = await import('./providers.schema.js');
      const code = showList(out, await listProviders(app, actor, options), options, {
        things: 'providers',
        columns: [
          { title: 'name', value: (one) => one.name },
          { title: 'active', value: (one) => (one.disabled ? 'no' : 'yes') },
          { title: 'issuer', value: (one) => one.issuer, flexible: true },
          { title: 'default role', value: (one) => one.defaultRole ?? 'none' },
        ],
        present: presentProvider,
      });
      const on = await getPasswordSignIn(app, actor);
      out.note(`Signing in by password is ${on ? 'on' : 'off'}.`);
      return code;
    });
  });
}

function addShow(sso: Command, cli: Cli): void {
  withExamples(
    withAnswer(sso.command('show').argument('<name>', 'as sso list shows it'), answer).description(
      'show an identity provider with its rules',
    ),
    'assistant sso show acme',
  ).action(async (name: string, _options: unknown, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { getProviderNamed } = await import('./manage-providers.js');
      const { presentProvider } = await import('./providers.schema.js');
      const provider = await getProviderNamed(app, actor, name);
      out.result(presentProvider(provider), describe(provider));
      return 0;
    });
  });
}

function addCreate(sso: Command, cli: Cli): void {
  withExamples(
    withProviderOptions(withDryRun(withAnswer(sso.command('create'), answer)))
      .description('add an OpenID Connect provider that people sign in by')
      .option('--name <name>', 'names it in addresses: a–z, 0–9 and hyphens'),
    'assistant sso create --name acme --issuer https://login.acme.example --client-id help-desk --client-secret-file secret --default-role user',
    'assistant sso create --name acme --issuer https://login.acme.example --client-id help-desk --public-client --role-claim groups --map-role owners=admin',
  ).action(async (options: ProviderOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { terminal, actor } = session;
      const { createProvider } = await import('./manage-providers.js');
      const { presentProvider } = await import('./providers.schema.js');
      const { publicBase, redirectUriAt } = await import('./redirect-address.js');
      const base = publicBase(session.app.config);
      const ask = (given: string | undefined, option: string, what: string) =>
        askFor(terminal, given, { option, what, check: oneLine(option, 1000) });
      const name = await ask(options.name, '--name', 'Name');
      const issuer = await ask(options.issuer, '--issuer', 'Issuer');
      const clientId = await ask(options.clientId, '--client-id', 'Client id');
      const change = await readProviderOptions(options, session.out);
      const clientSecret =
        change.clientSecret === undefined
          ? await askFor(terminal, undefined, {
              option: '--client-secret-file or --public-client',
              what: 'Client secret',
              secret: true,
            })
          : (change.clientSecret ?? undefined);
      return carryOut(session, options, {
        work: (app) =>
          createProvider(app, actor, { ...change, name, issuer, clientId, clientSecret }),
        tell: (made) => {
          const added = `Added ${made.name}. Find out whether it works: assistant sso check ${made.name}`;
          const register = base === undefined ? [] : [registerAt(redirectUriAt(base, made))];
          return [presentProvider(made), [added, ...register].join('\n')];
        },
      });
    });
  });
}

function addEdit(sso: Command, cli: Cli): void {
  withExamples(
    withProviderOptions(withDryRun(withAnswer(sso.command('edit'), answer)))
      .argument('<name>', 'as sso list shows it')
      .description('change an identity provider; lists that are given replace the present ones')
      .option('--name <name>', 'its new name')
      .option('--disable', 'let nobody sign in by it, and end the sessions that it opened')
      .option('--enable', 'let people sign in by it again'),
    'assistant sso edit acme --client-secret-file secret',
    'assistant sso edit acme --role-claim groups --map-role owners=admin --map-role writers=backoffice',
    'assistant sso edit acme --disable',
  ).action(
    async (
      given: string,
      options: ProviderOptions & { enable?: boolean; disable?: boolean },
      command: Command,
    ) => {
      await cli.withApp(command, async (session) => {
        const { app, actor } = session;
        const { getProviderNamed, updateProvider } = await import('./manage-providers.js');
        const { presentProvider } = await import('./providers.schema.js');
        const { id } = await getProviderNamed(app, actor, given);
        const { name, issuer, clientId, enable, disable } = options;
        const disabled = disable ?? (enable === true ? false : undefined);
        const change = {
          ...(await readProviderOptions(options, session.out)),
          name,
          issuer,
          clientId,
          disabled,
        };
        if (isUnchanged(change)) throw missingValue('an option (--help)', 'What to change');
        return carryOut(session, options, {
          work: (app) => updateProvider(app, actor, id, change),
          tell: (made) => [presentProvider(made), `Changed ${made.name}.`],
        });
      });
    },
  );
}

function addDelete(sso: Command, cli: Cli): void {
  withExamples(
    withConsent(
      withAnswer(sso.command('delete'), '{ id, name, deleted: true }').argument(
        '<name>',
        'as sso list shows it',
      ),
    ).description('remove an identity provider; accounts stay'),
    'assistant sso delete acme --yes',
  ).action(async (given: string, options: Consent, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { app, actor } = session;
      const { deleteProvider, getProviderNamed } = await import('./manage-providers.js');
      const { id, name } = await getProviderNamed(app, actor, given);
      return carryOut(session, options, {
        question: `Remove the identity provider ${name}, and end the sessions that it opened?`,
        work: (app) => deleteProvider(app, actor, id),
        tell: () => [{ id, name, deleted: true }, `Removed ${name}.`],
      });
    });
  });
}

function addCheck(sso: Command, cli: Cli): void {
  withExamples(
    withAnswer(
      sso.command('check').argument('<name>', 'as sso list shows it'),
      '{ ok, problems, redirect_uri, authorization_endpoint, end_session_endpoint }',
    ).description('ask a provider for its description and keys; say what is wrong'),
    'assistant sso check acme',
  ).action(async (given: string, _options: unknown, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { getProviderNamed } = await import('./manage-providers.js');
      const { examineProvider } = await import('./examine-provider.js');
      const { presentFindings } = await import('./providers.schema.js');
      const { id, name } = await getProviderNamed(app, actor, given);
      const found = await examineProvider(app, actor, id);
      const lines = found.problems.map((problem) => `- ${problem}`);
      const verdict = found.ok
        ? `${name} answers as it should. Whether the client id and secret are right, only a sign-in tells.`
        : `${name} is not ready:`;
      const redirect = found.redirectUri === null ? [] : [registerAt(found.redirectUri)];
      out.result(presentFindings(found), [verdict, ...lines, ...redirect].join('\n'));
      return found.ok ? 0 : 1;
    });
  });
}

function addPasswords(sso: Command, cli: Cli): void {
  const states = ['on', 'off'] as const;
  withExamples(
    withDryRun(
      withAnswer(sso.command('passwords'), '{ password_sign_in }').argument(
        '<on|off>',
        'whether people may sign in by password',
        oneOf('passwords', states),
      ),
    )
      .description('switch signing in by password on or off; off ends such sessions')
      .option('--force', 'off also where no admin has signed in by a provider yet'),
    'assistant sso passwords off',
    'assistant sso passwords on',
  ).action(
    async (
      state: (typeof states)[number],
      options: Consent & { force?: boolean },
      command: Command,
    ) => {
      await cli.withApp(command, async (session) => {
        const { setPasswordSignIn } = await import('./manage-providers.js');
        return carryOut(session, options, {
          work: (app) =>
            setPasswordSignIn(app, session.actor, state === 'on', {
              force: options.force === true,
            }),
          tell: (on) => [
            { password_sign_in: on },
            on
              ? 'People may sign in by password.'
              : 'Nobody signs in by password any more. The way back: assistant sso passwords on',
          ],
        });
      });
    },
  );
}

function registerAt(redirectUri: string): string {
  return `Register at the provider: ${redirectUri}`;
}

function describe(provider: IdentityProvider): string {
  const { roleClaim, roleMapping, allowedDomains, defaultRole } = provider;
  const mapped = roleMapping.map(({ value, role }) => `${value} → ${role}`).join(', ');
  const lines = [
    `${provider.name} (${provider.label})${provider.disabled ? ', disabled' : ''}`,
    `issuer          ${provider.issuer}`,
    `client          ${provider.clientId}${provider.hasSecret ? '' : ' (public)'}`,
    `scopes          ${provider.scopes.join(' ')}`,
    `domains         ${allowedDomains.length === 0 ? 'all' : allowedDomains.join(', ')}`,
    `role claim      ${roleClaim === null ? 'none' : `${roleClaim}: ${mapped}`}`,
    `default role    ${defaultRole ?? 'none'}`,
    `trusts e-mail   ${provider.trustsEmail ? 'yes' : 'no'}`,
  ];
  return lines.map(printable).join('\n');
}
