import type { Command } from 'commander';
import type { Actor } from '../actor.js';
import type { App } from '../app.js';
import type { MayLack } from '../config/load-config.js';
import type { Config } from '../config/schema.js';
import type { Output, Terminal } from './terminal.js';

export type Operator = Extract<Actor, { kind: 'operator' }>;

/** The arguments of a command's action. */
export interface Session {
  app: App;
  /** The operator, acting in the organization of --org (default: the first organization). */
  actor: Operator;
  out: Output;
  terminal: Terminal;
  /** Aborts at the first Ctrl-C or SIGTERM. The command should stop in order and print how to resume. */
  interrupted: AbortSignal;
}

/** The arguments of a command that must work without a valid configuration. */
export interface PlainSession extends Omit<Session, 'app' | 'actor'> {
  /** The file of --config. */
  configGiven: string | undefined;
}

export interface ConfigSession extends Omit<Session, 'app' | 'actor'> {
  config: Config;
  /** The file that was read; undefined when the defaults are used. */
  configFile: string | undefined;
}

/** 0: done. 5: partly done. 130: a display was ended by Ctrl-C. Errors give the other codes. */
export type ExitCode = 0 | 1 | 4 | 5 | 130;

/** Opens the application for a command and closes it afterwards. Made in main. */
export interface Cli {
  /** Runs an action with the opened application and its database. */
  withApp(command: Command, action: (session: Session) => Promise<ExitCode>): Promise<void>;
  /** Runs an action that needs only the configuration. `mayLack`: whether a named configuration file must exist. */
  withConfig(
    command: Command,
    action: (session: ConfigSession) => Promise<ExitCode>,
    options?: { mayLack?: MayLack },
  ): Promise<void>;
  /** Runs an action that reads no configuration, or reads it itself. */
  withTerminal(
    command: Command,
    action: (session: PlainSession) => Promise<ExitCode>,
  ): Promise<void>;
}

const examples = new WeakMap<Command, readonly string[]>();
const answers = new WeakMap<Command, string>();

/** Adds a description of the command's --json output to its help, below the examples. */
export function withAnswer(command: Command, answer: string): Command {
  answers.set(command, answer);
  return command;
}

/** The description that withAnswer set, if any. */
export function answerOf(command: Command): string | undefined {
  return answers.get(command);
}

/** Adds examples to a command's help. The --json description stands below them. */
export function withExamples(command: Command, ...lines: string[]): Command {
  examples.set(command, lines);
  return command.addHelpText('after', () => {
    const answer = answers.get(command);
    const shown = lines.map((line) => `  ${line}`).join('\n');
    return `\nExamples:\n${shown}${answer === undefined ? '' : `\n\nWith --json:\n${indented(command, answer)}`}`;
  });
}

/** Wraps text between words, like the rest of the help. Examples are not wrapped, because people copy them. */
function indented(command: Command, text: string): string {
  const width = command.configureOutput().getOutHelpWidth?.() ?? 80;
  const wrapped = command.createHelp().boxWrap(text, width - 3);
  return wrapped.replaceAll(/^/gm, '  ');
}

export function examplesOf(command: Command): readonly string[] {
  return examples.get(command) ?? [];
}
