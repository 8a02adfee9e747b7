import { named, type Argument, type CommandGroup } from '../../platform/cli/command-group.js';
import { oneLine, oneOf } from '../../platform/cli/arguments.js';
import { isUnchanged } from '../../platform/cli/ask-for-changes.js';
import { carryOut, type Consent } from '../../platform/cli/carry-out.js';
import { askFor } from '../../platform/cli/prompts.js';
import { AppError } from '../../platform/errors.js';
import { printable } from '../../platform/text/printable.js';
import type { getProviderNamed } from './manage-providers.js';
import type { IdentityProvider } from '../providers/provider.js';
import { providerOptions, readProviderOptions, type ProviderOptions } from './provider-options.js';

const argument: Argument = ['<provider>', `its ${named}`];
const answer = 'the provider, as the API has it; never its secret';

export function addSsoCommands(program: CommandGroup): void {
  const description = 'single sign-on: the identity providers that people sign in by';
  const sso = program.group('sso', description);
  addList(sso);
  addShow(sso);
  addCreate(sso);
  addEdit(sso);
  addSwitch(sso, true);
  addSwitch(sso, false);
  addDelete(sso);
  addCheck(sso);
  addPasswords(sso);
}

function addList(sso: CommandGroup): void {
  sso.list({
    things: 'providers',
    description: 'list the identity providers',
    first: 'Create one with: assistant sso create --name <name>',
    examples: ['assistant sso list'],
    async load({ app, actor }, page) {
      const { getPasswordSignIn, listProviders } = await import('./manage-providers.js');
      const { presentProvider } = await import('./providers.schema.js');
      const found = await listProviders(app, actor, page);
      const isOn = await getPasswordSignIn(app, actor);
      const notes = [`Signing in by password is ${isOn ? 'on' : 'off'}.`];
      return { ...found, present: presentProvider, notes };
    },
    columns: [
      { title: 'name', value: ({ name }) => name },
      { title: 'active', value: ({ disabled }) => (disabled ? 'no' : 'yes') },
      { title: 'issuer', value: ({ issuer }) => issuer, flexible: true },
      { title: 'default role', value: ({ defaultRole }) => defaultRole ?? 'none' },
    ],
  });
}

function addShow(sso: CommandGroup): void {
  sso.add({
    name: 'show',
    description: 'show an identity provider with its rules',
    arguments: [argument],
    answer,
    examples: ['assistant sso show acme'],
    async run({ app, actor, out }, _options, called: string) {
      const { presentProvider } = await import('./providers.schema.js');
      const provider = await findProvider(app, actor, called);
      out.result(presentProvider(provider), describe(provider));
      return 0;
    },
  });
}

function addCreate(sso: CommandGroup): void {
  sso.add({
    name: 'create',
    description: 'create an OpenID Connect provider that people sign in by',
    options: [...providerOptions, ['--name <name>', 'its name in URLs: a–z, 0–9 and hyphens']],
    consent: 'rehearses',
    answer,
    examples: [
      'assistant sso create --name acme --issuer https://login.acme.example --client-id help-desk --client-secret-file secret --default-role user',
      'assistant sso create --name acme --issuer https://login.acme.example --client-id help-desk --public-client --role-claim groups --map-role owners=admin',
    ],
    async run(session, options: ProviderOptions) {
      const { terminal, actor } = session;
      const { createProvider } = await import('./manage-providers.js');
      const { presentProvider } = await import('./providers.schema.js');
      const { publicBase, redirectUriAt } = await import('./sign-in-addresses.js');
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
          const created = `Created ${made.name}. Check it with: assistant sso check ${made.name}`;
          const register = base === undefined ? [] : [registerAt(redirectUriAt(base, made))];
          return [presentProvider(made), [created, ...register].join('\n')];
        },
      });
    },
  });
}

function addEdit(sso: CommandGroup): void {
  const { command } = sso.add({
    name: 'edit',
    description: 'change an identity provider; given lists replace the present ones',
    arguments: [argument],
    options: [...providerOptions, ['--name <name>', 'its new name']],
    consent: 'rehearses',
    answer,
    examples: [
      'assistant sso edit acme --client-secret-file secret',
      'assistant sso edit acme --role-claim groups --map-role owners=admin --map-role writers=backoffice',
    ],
    async run(
      session,
      options: ProviderOptions & { enable?: boolean; disable?: boolean },
      called: string,
    ) {
      const { app, actor } = session;
      const { updateProvider } = await import('./manage-providers.js');
      const { presentProvider } = await import('./providers.schema.js');
      const { id } = await findProvider(app, actor, called);
      const { name, issuer, clientId, enable, disable } = options;
      const disabled = disable ?? (enable === true ? false : undefined);
      const read = await readProviderOptions(options, session.out);
      const change = { ...read, name, issuer, clientId, disabled };
      if (isUnchanged(change)) {
        throw new AppError('usage', 'Say what to change, by an option: assistant sso edit --help');
      }
      return carryOut(session, options, {
        work: (app) => updateProvider(app, actor, id, change),
        tell: (made) => [presentProvider(made), `Changed ${made.name}.`],
      });
    },
  });
  // Old options, from before there were commands of these names.
  for (const flag of ['--enable', '--disable']) {
    command.addOption(command.createOption(flag).hideHelp());
  }
}

function addDelete(sso: CommandGroup): void {
  sso.change({
    name: 'delete',
    description: 'delete an identity provider; accounts stay',
    argument,
    answer: '{ id, name, deleted: true }',
    examples: ['assistant sso delete acme --yes'],
    find: findProvider,
    asks: ({ name }) =>
      `Delete the identity provider ${name}, and end the sessions that it opened?`,
    work: async (app, actor, { id }) =>
      (await import('./manage-providers.js')).deleteProvider(app, actor, id),
    tell: (_, { id, name }) => [{ id, name, deleted: true }, `Deleted ${name}.`],
  });
}

function addCheck(sso: CommandGroup): void {
  sso.add({
    name: 'check',
    description: 'fetch a provider’s description and keys, and report problems',
    arguments: [argument],
    answer: '{ ok, problems, redirect_uri, authorization_endpoint, end_session_endpoint }',
    examples: ['assistant sso check acme'],
    async run({ app, actor, out }, _options, called: string) {
      const { examineProvider } = await import('./examine-provider.js');
      const { presentFindings } = await import('./providers.schema.js');
      const { id, name } = await findProvider(app, actor, called);
      const found = await examineProvider(app, actor, id);
      const lines = found.problems.map((problem) => `- ${problem}`);
      const verdict = found.ok
        ? `${name} answers as it should. Only a sign-in shows whether the client id and secret are right.`
        : `${name} is not ready:`;
      const redirect = found.redirectUri === null ? [] : [registerAt(found.redirectUri)];
      out.result(presentFindings(found), [verdict, ...lines, ...redirect].join('\n'));
      return found.ok ? 0 : 1;
    },
  });
}

function addPasswords(sso: CommandGroup): void {
  const states = ['on', 'off'] as const;
  sso.add({
    name: 'passwords',
    description: 'turn sign-in by password on or off; off ends the sessions that passwords opened',
    arguments: [['<on|off>', 'whether people may sign in by password', oneOf('passwords', states)]],
    options: [['--force', 'turn it off even if no admin has signed in by a provider yet']],
    consent: 'rehearses',
    answer: '{ password_sign_in }',
    examples: ['assistant sso passwords off', 'assistant sso passwords on'],
    async run(session, options: Consent & { force?: boolean }, state: (typeof states)[number]) {
      const { setPasswordSignIn } = await import('./manage-providers.js');
      const force = options.force === true;
      return carryOut(session, options, {
        work: (app) => setPasswordSignIn(app, session.actor, state === 'on', { force }),
        tell: (on) => [
          { password_sign_in: on },
          on
            ? 'People may sign in by password.'
            : 'Sign-in by password is off. Turn it on again with: assistant sso passwords on',
        ],
      });
    },
  });
}

function addSwitch(sso: CommandGroup, disabled: boolean): void {
  const name = disabled ? 'disable' : 'enable';
  sso.change({
    name,
    description: disabled
      ? 'disable an identity provider and end the sessions that it opened'
      : 'enable a disabled identity provider',
    argument,
    answer,
    examples: [`assistant sso ${name} acme${disabled ? ' --yes' : ''}`],
    find: findProvider,
    ...(disabled ? { asks: askToDisable } : {}),
    work: async (app, actor, { id }) =>
      (await import('./manage-providers.js')).updateProvider(app, actor, id, { disabled }),
    async tell(made) {
      const { presentProvider } = await import('./providers.schema.js');
      return [presentProvider(made), `${made.name} is ${name}d.`];
    },
  });
}

function askToDisable({ name }: IdentityProvider): string {
  return `Disable ${name}, and end the sessions that it opened?`;
}

async function findProvider(...wanted: Parameters<typeof getProviderNamed>) {
  return (await import('./manage-providers.js')).getProviderNamed(...wanted);
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
