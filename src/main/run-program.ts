import { CommanderError, type Command } from 'commander';
import { AppError, codeOf, errorCodes, messageOf, problemsOf } from '../platform/errors.js';
import type { Cli, ConfigSession, ExitCode } from '../platform/cli/cli.js';
import { fileTrouble } from '../platform/cli/file-trouble.js';
import { createOutput, endDocument, tell, type Terminal } from '../platform/cli/terminal.js';
import { safeJson } from '../platform/text/printable.js';
import type { MayLack } from '../platform/config/load-config.js';
import { closestWord } from '../platform/text/closest-word.js';
import type { Organization } from '../tenancy/sites.repository.js';

interface GlobalOptions {
  json?: boolean;
  quiet?: boolean;
  config?: string;
  org?: string;
}

/**
 * The program: parses the arguments, runs the command, and sets the exit code: 0 done, 1 failed, 2 usage, 3 not found,
 * 4 refused or in conflict, 5 partly done.
 */
export async function runProgram(args: string[]): Promise<void> {
  const terminal: Terminal = process;
  ignoreReadersThatLeave(terminal);
  const { createProgram } = await import('./create-program.js');
  const json = args.includes('--json');
  const program = createProgram(createCli(terminal), args[0]);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version end with 0, and commander has printed their text.
      if (error.exitCode === 0) return;
      process.exitCode = errorCodes.usage.exit;
      const isHelp = error.code === 'commander.help';
      const message = isHelp ? 'Name a command.' : error.message.replace(/^error: /, '');
      if (json) writeError(terminal, { code: 'usage', message });
    } else reportFailure(terminal, error, json);
  }
}

function createCli(terminal: Terminal): Cli {
  const prepare = async (
    command: Command,
    settings?: { mayLack?: MayLack },
  ): Promise<{ session: ConfigSession; options: GlobalOptions }> => {
    const options = command.optsWithGlobals<GlobalOptions>();
    const { loadConfig } = await import('../platform/config/load-config.js');
    const { config, file } = await loadConfig(options.config, settings);
    return { options, session: { config, configFile: file, ...plain(options) } };
  };
  const plain = ({ json = false, quiet = false }: GlobalOptions) => {
    const out = createOutput(terminal, { json, quiet });
    return { out, terminal, interrupted: interruption() };
  };
  return {
    async withTerminal(command, action) {
      const options = command.optsWithGlobals<GlobalOptions>();
      if (options.config !== undefined) {
        const { placeOfConfig, requirePresent } = await import('../platform/config/load-config.js');
        requirePresent(placeOfConfig(options.config));
      }
      setExitCode(await action({ ...plain(options), configGiven: options.config }));
    },
    async withConfig(command, action, settings) {
      const { session } = await prepare(command, settings);
      setExitCode(await action(session));
    },
    async withApp(command, action) {
      const { session, options } = await prepare(command);
      const { openApp } = await import('./open-app.js');
      const { nameOfDatabase, requireDatabase } =
        await import('../platform/db/require-database.js');
      const { createCommandLog } = await import('../platform/log.js');
      const { listOrganizations } = await import('../tenancy/sites.repository.js');
      const { config, out, interrupted } = session;
      requireDatabase(config.database);
      // A command prints its own results, so its log shows only problems.
      const level = config.log.level === 'info' ? 'warn' : config.log.level;
      const isRead = terminal.stderr.isTTY === true;
      const say = isRead ? (sentence: string) => out.note(sentence) : undefined;
      const app = await openApp(config, { log: createCommandLog({ ...config.log, level }, say) });
      try {
        const organizations = await listOrganizations(app);
        const organization =
          options.org === undefined
            ? organizations[0]
            : organizations.find(({ slug }) => slug === options.org);
        if (organization === undefined) {
          throw noOrganization(nameOfDatabase(config.database), options.org, organizations);
        }
        const actor = { kind: 'operator', organizationId: organization.id } as const;
        setExitCode(await action({ app, actor, out, terminal, interrupted }));
      } finally {
        await app.close();
      }
    },
  };
}

function noOrganization(
  database: string,
  slug: string | undefined,
  present: Organization[],
): AppError {
  if (slug === undefined || present.length === 0) {
    const message = `There is no organization yet in ${database}. Set one up with: assistant init`;
    return new AppError('not_found', message);
  }
  const slugs = present.map((organization) => organization.slug);
  const hint = closestWord(slug, slugs);
  const suggestion =
    hint === undefined ? `There are: ${slugs.join(', ')}.` : `Did you mean ${hint}?`;
  return new AppError('not_found', `--org: there is no organization ${slug}. ${suggestion}`);
}

/** An earlier failure stays: a later success does not replace it. */
function setExitCode(code: ExitCode): void {
  if (code !== 0 || process.exitCode === undefined) process.exitCode = code;
}

/**
 * The first Ctrl-C, or a closed terminal (SIGHUP), asks the command to stop in order. The second one ends the process
 * immediately.
 */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      controller.abort(new AppError('shutting_down', 'Interrupted.'));
    });
  }
  return controller.signal;
}

function reportFailure(terminal: Terminal, thrown: unknown, json: boolean): void {
  const error = fileTrouble(thrown) ?? thrown;
  const code = codeOf(error);
  const known = error instanceof AppError;
  process.exitCode = (known ? error.exit : undefined) ?? errorCodes[code].exit;
  if (json) {
    const problems = known ? problemsOf(error) : {};
    writeError(terminal, { code, message: messageOf(error), ...problems });
  }
  const stack = !known && error instanceof Error ? error.stack : undefined;
  tell(terminal, `assistant: ${stack ?? messageOf(error)}`);
}

function writeError(terminal: Terminal, error: { code: string; message: string }): void {
  if (endDocument(terminal, { error })) return;
  terminal.stdout.write(`${safeJson({ error }, 2)}\n`);
}

/** A reader that went away (`| head`) is neither an error nor a reason to leave work unfinished. */
function ignoreReadersThatLeave({ stdout, stderr }: Terminal): void {
  let isTold = false;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      process.exitCode = 1;
      // Nothing can be printed there any more. Report it on the other stream, once.
      if (stream !== stdout || isTold) return;
      isTold = true;
      stderr.write(`assistant: the result can't be written: ${error.message}\n`);
    });
  }
}
