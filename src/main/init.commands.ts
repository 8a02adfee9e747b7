import type { Command } from 'commander';
import type { App } from '../platform/app.js';
import type { CommandGroup } from '../platform/cli/command-group.js';
import type { Cli, ConfigSession, ExitCode } from '../platform/cli/cli.js';
import { askFor, askForNewPassword } from '../platform/cli/prompts.js';
import type { Output, Terminal } from '../platform/cli/terminal.js';
import { codeOf } from '../platform/errors.js';
import type { Snippet } from '../widget/describe-snippet.js';
import type { SetUpAnswers, SetUpResult } from './set-up.js';
import type { Step } from './write-config.js';

interface InitOptions {
  organization?: string;
  app?: string;
  domain?: string;
  email?: string;
  yes?: boolean;
  dryRun?: boolean;
}

export function addInitCommand(program: CommandGroup): void {
  program
    .describe('init', {
      description:
        'create the configuration, the database, an organization, an app, a domain and the first administrator',
      options: [
        ['--organization <name>', 'the name of your organization'],
        ['--app <name>', 'the name of its first app'],
        ['--domain <host>', 'the host name that the app runs on'],
        ['--email <address>', 'the address of the first administrator'],
        ['--yes', 'ask nothing; use the defaults for missing values'],
        ['--dry-run', 'only show what exists and what would be created'],
      ],
      answer:
        '{ dry_run, steps: [{ what, done, exists }], snippet, models: [{ name, status, finding, remedy? }] }',
      examples: [
        'assistant init',
        'ASSISTANT_PASSWORD="$PW" assistant init --yes --organization Acme --domain docs.acme.example --email admin@acme.example',
        'assistant init --dry-run',
      ],
    })
    .action(async (options: InitOptions, command: Command) => {
      const { config: given } = command.optsWithGlobals<{ config?: string }>();
      const { planConfig, writeConfig } = await import('./write-config.js');
      if (options.dryRun === true)
        return dryRun(program.cli, command, options, planConfig(given).step);
      const make = async (session: ConfigSession) => {
        const answers = await answersFor(session, options);
        const written = await writeConfig(given);
        const configured = { ...session, configFile: planConfig(given).file };
        return init(configured, options, { answers, written });
      };
      return program.cli.withConfig(command, make, { mayLack: 'always' });
    });
}

/**
 * The answers of a person to the questions of the set-up. For a new installation everything is asked before anything is
 * made, so that nothing is left behind when a value is missing or somebody breaks off. Errors: `usage` when a value is
 * missing and nobody can be asked.
 */
async function answersFor(
  { config, terminal }: ConfigSession,
  options: InitOptions,
): Promise<SetUpAnswers> {
  const asked = await answersOf(askerOf(terminal, options), options);
  const { databaseExists } = await import('../platform/db/require-database.js');
  if (databaseExists(config.database)) return asked;
  const organization = await asked.organization();
  const app = await asked.app();
  const domain = await asked.domain();
  const email = await asked.email();
  const password = await asked.password();
  return {
    ...asked,
    organization: () => Promise.resolve(organization),
    app: () => Promise.resolve(app),
    domain: () => Promise.resolve(domain),
    email: () => Promise.resolve(email),
    password: () => Promise.resolve(password),
  };
}

/** A set-up that runs by --yes asks no more than one without a terminal does. */
function askerOf(terminal: Terminal, { yes }: InitOptions): Terminal {
  return yes === true ? { ...terminal, stdin: silent(terminal.stdin) } : terminal;
}

async function dryRun(
  cli: Cli,
  command: Command,
  options: InitOptions,
  configuration: Step,
): Promise<void> {
  const plan = async ({ config, out }: ConfigSession): Promise<ExitCode> => {
    const { planSetUp } = await import('./plan-set-up.js');
    const steps = [configuration, ...(await planSetUp(config, options))];
    out.result({ dry_run: true, steps, snippet: null, models: [] }, describe(steps));
    out.note('Nothing was changed: --dry-run.');
    return 0;
  };
  await cli.withConfig(command, plan, { mayLack: 'always' });
}

async function init(
  session: ConfigSession,
  options: InitOptions,
  { answers, written }: { answers: SetUpAnswers; written: Step },
): Promise<ExitCode> {
  const { config, out, terminal } = session;
  const { openApp } = await import('./open-app.js');
  const { setUp } = await import('./set-up.js');
  const { databaseExists, nameOfDatabase } = await import('../platform/db/require-database.js');
  const exists = databaseExists(config.database);
  const app = await openApp({ ...config, log: { ...config.log, level: 'warn' } });
  try {
    const made = await setUp(app, answers);
    const database = { what: `Database ${nameOfDatabase(config.database)}`, done: !exists, exists };
    const steps = [written, database, ...made.steps];
    const snippet = await snippetFor(app, made);
    const { examineModels } = await import('../operations/examine-models.js');
    const models = await examineModels(config, { quick: true });
    const document = { dry_run: false, steps, snippet: snippet?.tag ?? null, models };
    out.result(document, out.quiet ? '' : describe(steps));
    sayWhatWasNotTaken(out, options, steps);
    if (steps.every((step) => step.exists))
      out.note('Everything exists already: nothing was changed.');
    for (const { status, finding, remedy } of models) {
      if (status !== 'ok') out.note(`Models: ${finding}.\n        ${remedy ?? ''}`.trimEnd());
    }
    if (snippet !== undefined) {
      out.note(`\nPut this tag on your pages:\n\n${snippet.tag}\n`);
      out.note('For its address on the internet, and the lines of a Content-Security-Policy:');
      out.note(`  assistant keys snippet ${snippet.key} --server https://assistant.example.com\n`);
      const { noteDomains } = await import('../widget/snippet.commands.js');
      noteDomains(out, snippet);
    }
    const backoffice = await backofficeAddress(config);
    const { offerMissingModels } = await import('../operations/choose-models.js');
    await offerMissingModels({ ...session, terminal: askerOf(terminal, options) });
    out.note(`\nThe backoffice for staff is ${backoffice}, once the server runs: assistant serve`);
    out.note(
      'Next: assistant ingest <manual.pdf> --approve, then: assistant ask "…" and assistant serve',
    );
    return 0;
  } finally {
    await app.close();
  }
}

async function backofficeAddress(config: ConfigSession['config']): Promise<string> {
  const { addressForBrowsers } = await import('../widget/snippet.commands.js');
  const base = addressForBrowsers(config);
  return `${base.replace(/\/$/, '')}/backoffice`;
}

async function answersOf(asker: Terminal, options: InitOptions): Promise<SetUpAnswers> {
  const { checkEmail, checkPassword } = await import('../accounts/users/create-user.js');
  const { normalizeHost } = await import('../tenancy/page-address.js');
  const { usualNames: usual } = await import('./plan-set-up.js');
  return {
    organization: () =>
      askFor(asker, options.organization, {
        option: '--organization',
        what: 'Organization',
        default: usual.organization,
      }),
    app: () =>
      askFor(asker, options.app, { option: '--app', what: 'First app', default: usual.app }),
    domain: () =>
      askFor(asker, options.domain, {
        option: '--domain',
        what: 'Its host name',
        default: usual.domain,
        check: normalizeHost,
      }),
    newDomain: options.domain,
    named: { organization: options.organization, app: options.app },
    email: () =>
      askFor(asker, options.email, {
        option: '--email',
        what: 'E-mail of the first administrator',
        check: checkEmail,
      }),
    password: () => askForNewPassword(asker, 'Password (10 characters or more)', checkPassword),
  };
}

function describe(steps: Step[]): string {
  const states = steps.map(({ exists, done }) =>
    exists ? 'exists:' : done ? 'made:' : 'to make:',
  );
  return steps.map(({ what }, index) => `${(states[index] ?? '').padEnd(8)} ${what}`).join('\n');
}

/** Existing records keep their names. Tells an operator who gave another name. */
function sayWhatWasNotTaken(out: Output, options: InitOptions, steps: Step[]): void {
  for (const given of [options.organization, options.app, options.email]) {
    if (given === undefined || steps.some(({ what }) => what.endsWith(` ${given}`))) continue;
    out.note(`"${given}" was not used: what it would name exists already, and stays unchanged.`);
  }
}

/** Undefined when the script was not built: the set-up is complete without it. */
async function snippetFor(
  app: App,
  { widgetKey: key, organizationId }: Pick<SetUpResult, 'widgetKey' | 'organizationId'>,
): Promise<Snippet | undefined> {
  const { describeSnippet } = await import('../widget/describe-snippet.js');
  const { addressForBrowsers } = await import('../widget/snippet.commands.js');
  try {
    const operator = { kind: 'operator', organizationId } as const;
    const server = addressForBrowsers(app.config);
    return await describeSnippet(app, operator, { key, server });
  } catch (error) {
    if (codeOf(error) === 'widget_not_built') return undefined;
    throw error;
  }
}

function silent<S extends object>(stdin: S): S & { isTTY: false } {
  return Object.assign(Object.create(stdin) as S, { isTTY: false as const });
}
