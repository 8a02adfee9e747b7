import type { Command } from 'commander';
import type { Actor } from '../actor.js';
import type { App } from '../app.js';
import type { Config } from '../config/schema.js';
import type { Output, Terminal } from './terminal.js';

export type Operator = Extract<Actor, { kind: 'operator' }>;

/** What a command works with. */
export interface Session {
  app: App;
  /** The operator, acting in the organization that --org names (the first one by default). */
  actor: Operator;
  out: Output;
  terminal: Terminal;
  /** Aborts at the first Ctrl-C or SIGTERM: end in order, and say how to go on. */
  interrupted: AbortSignal;
}

export interface ConfigSession extends Omit<Session, 'app' | 'actor'> {
  config: Config;
  /** The file that was read; undefined when defaults serve. */
  configFile: string | undefined;
}

/** 0 done; errors give the others, except 5: partly done. */
export type ExitCode = 0 | 1 | 5;

/** How commands reach the application: opened for them, closed behind them. Made in main. */
export interface Cli {
  /** Runs an action on the opened application and its database. */
  withApp(command: Command, action: (session: Session) => Promise<ExitCode>): Promise<void>;
  /** Runs an action that needs the configuration alone; `mayLack`: one that is named may be yet to be written. */
  withConfig(
    command: Command,
    action: (session: ConfigSession) => Promise<ExitCode>,
    options?: { mayLack?: boolean },
  ): Promise<void>;
}

const examples = new WeakMap<Command, readonly string[]>();
const answers = new WeakMap<Command, string>();

/** What a command answers with --json: its help says it below the examples, since scripts are written by it. */
export function withAnswer(command: Command, answer: string): Command {
  answers.set(command, answer);
  return command;
}

/** What a command's help says of its answer, if it says anything. */
export function answerOf(command: Command): string | undefined {
  return answers.get(command);
}

/** Examples below a command's help, and then what it answers with --json. */
export function withExamples(command: Command, ...lines: string[]): Command {
  examples.set(command, lines);
  return command.addHelpText('after', () => {
    const answer = answers.get(command);
    const shown = lines.map((line) => `  ${line}`).join('\n');
    return `\nExamples:\n${shown}${answer === undefined ? '' : `\n\nWith --json:\n${indented(command, answer)}`}`;
  });
}

/** Broken between words, as the rest of the help is; examples are not, since they are copied. */
function indented(command: Command, text: string): string {
  const width = command.configureOutput().getOutHelpWidth?.() ?? 80;
  const wrapped = command.createHelp().boxWrap(text, width - 3);
  return wrapped.replaceAll(/^/gm, '  ');
}

/** The examples that a command's help shows. */
export function examplesOf(command: Command): readonly string[] {
  return examples.get(command) ?? [];
}
