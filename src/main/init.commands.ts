import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { withExamples, type Cli } from '../platform/cli/cli.js';
import type { App } from '../platform/app.js';
import { codeOf } from '../platform/errors.js';
import { askFor } from '../platform/cli/prompts.js';
import type { Snippet } from '../widget/describe-snippet.js';
import type { SetUpResult } from './set-up.js';

interface InitOptions {
  organization?: string;
  app?: string;
  domain?: string;
  email?: string;
  yes?: boolean;
}

export function addInitCommand(program: Command, cli: Cli): void {
  withExamples(
    program
      .command('init')
      .description(
        'set up: configuration, database, organization, app, domain, first administrator',
      )
      .option('--organization <name>', 'the name of your organization')
      .option('--app <name>', 'the name of its first app')
      .option('--domain <host>', 'the host name that the app runs on')
      .option('--email <address>', 'the address of the first administrator')
      .option('--yes', 'ask nothing: take the defaults for what is not given'),
    'assistant init',
    'ASSISTANT_PASSWORD="$PW" assistant init --yes --organization Acme --domain docs.acme.example --email admin@acme.example',
  ).action(async (options: InitOptions, command: Command) => {
    const { writeConfig } = await import('./write-config.js');
    const written = await writeConfig(command.optsWithGlobals<{ config?: string }>().config);
    await cli.withConfig(command, async ({ config, out, terminal }) => {
      const { openApp } = await import('./open-app.js');
      const { setUp } = await import('./set-up.js');
      const { checkEmail, checkPassword } = await import('../accounts/create-user.js');
      const { normalizeHost } = await import('../tenancy/page-address.js');
      // A set-up that runs by --yes asks no more than one without a terminal does.
      const asker =
        options.yes === true ? { ...terminal, stdin: silent(terminal.stdin) } : terminal;
      const isNew = !existsSync(config.database.path);
      const app = await openApp({ ...config, log: { ...config.log, level: 'warn' } });
      try {
        const { steps: done, ...made } = await setUp(app, {
          organization: () =>
            askFor(asker, options.organization, {
              option: '--organization',
              what: 'Organization',
              default: 'My organization',
            }),
          app: () =>
            askFor(asker, options.app, {
              option: '--app',
              what: 'First app',
              default: 'Documentation',
            }),
          domain: () =>
            askFor(asker, options.domain, {
              option: '--domain',
              what: 'Its host name',
              default: 'localhost',
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
          password: () =>
            askFor(asker, process.env['ASSISTANT_PASSWORD'], {
              option: 'the environment variable ASSISTANT_PASSWORD',
              what: 'Password (10 characters or more)',
              secret: true,
              check: checkPassword,
            }),
        });
        const steps = [written, { what: `Database ${config.database.path}`, done: isNew }, ...done];
        const text = steps
          .map((step) => `${step.done ? 'made  ' : 'kept  '} ${step.what}`)
          .join('\n');
        const snippet = await snippetFor(app, made);
        out.result({ steps, snippet: snippet?.tag ?? null }, text);
        // What exists keeps its name: whoever gave another one must not believe that it was taken.
        for (const given of [options.organization, options.app, options.email]) {
          if (given === undefined || steps.some((step) => step.what.endsWith(` ${given}`)))
            continue;
          out.note(
            `"${given}" was not taken: what it is for exists already, and is kept as it is.`,
          );
        }
        if (snippet !== undefined) {
          out.note(`\nThe widget on a page:\n\n${snippet.tag}\n`);
          out.note('What the page’s policy must allow: assistant keys snippet <key>');
        }
        out.note(
          'Next: assistant ingest <manual.pdf> --approve, then: assistant ask "…" and assistant serve',
        );
        return 0;
      } finally {
        await app.close();
      }
    });
  });
}

/** Nothing where the script was not built: what was set up works without it. */
async function snippetFor(
  app: App,
  { widgetKey: key, organizationId }: Pick<SetUpResult, 'widgetKey' | 'organizationId'>,
): Promise<Snippet | undefined> {
  const { describeSnippet } = await import('../widget/describe-snippet.js');
  const { listeningAddress } = await import('../widget/snippet.commands.js');
  try {
    const operator = { kind: 'operator', organizationId } as const;
    return await describeSnippet(app, operator, { key, server: listeningAddress(app.config) });
  } catch (error) {
    if (codeOf(error) === 'widget_not_built') return undefined;
    throw error;
  }
}

function silent<S extends object>(stdin: S): S & { isTTY: false } {
  return Object.assign(Object.create(stdin) as S, { isTTY: false as const });
}
