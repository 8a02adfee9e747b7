import { AppError } from '../errors.js';
import { isInteractive, missingValue, type Terminal } from './terminal.js';
import { printable } from '../text/printable.js';

export interface Asked {
  /** How the value is given without a prompt, e.g. `--email`. */
  option: string;
  what: string;
  secret?: boolean;
  default?: string;
  /** Whether the default stands in the line to be edited, rather than being what an empty line means. */
  isEdited?: boolean;
  /** Throws the AppError of a value that can't be used: a person is asked again, a script is refused. */
  check?: (value: string) => unknown;
}

/**
 * A value that a command needs: the given one, else what the person at the terminal answers, else its
 * default. Refuses with `usage` when there is none of them, so that a script never hangs.
 */
export async function askFor(
  terminal: Terminal,
  given: string | undefined,
  asked: Asked,
): Promise<string> {
  if (given !== undefined && given !== '') {
    asked.check?.(given);
    return given;
  }
  if (!isInteractive(terminal)) {
    if (asked.default !== undefined) return asked.default;
    throw missingValue(asked.option, asked.what);
  }
  const prompt = await openPrompt(terminal);
  const { value } = await prompt<{ value: string }>({
    type: asked.secret === true ? 'password' : 'input',
    name: 'value',
    message: `${asked.what}:`,
    ...(asked.default === undefined ? {} : { default: asked.default }),
    ...(asked.isEdited === true ? { prefill: 'editable' as const } : {}),
    validate: (text: string) => fault(asked, text) ?? true,
  }).catch(interrupted);
  return value;
}

/** Whether to go on with something that can't be undone. Without a terminal only --yes says so. */
export async function confirm(
  terminal: Terminal,
  yes: boolean | undefined,
  question: string,
): Promise<boolean> {
  if (yes === true) return true;
  if (!isInteractive(terminal)) throw missingValue('--yes', 'The confirmation');
  const prompt = await openPrompt(terminal);
  const { value } = await prompt<{ value: boolean }>({
    type: 'confirm',
    name: 'value',
    message: printable(question),
    default: false,
  }).catch(interrupted);
  return value;
}

export interface Choice<T extends string> {
  /** The letter that is typed for it; h is taken, for help. */
  key: string;
  value: T;
  name: string;
}

/** What a person at the terminal wants done next, of some things that a letter stands for. */
export async function choose<T extends string>(
  terminal: Terminal,
  question: string,
  choices: Choice<T>[],
): Promise<T> {
  const prompt = await openPrompt(terminal);
  // Said before the question, which the terminal writes anew with each key.
  const letters = choices.map(({ key, name }) => `${key} ${name}`).join(', ');
  terminal.stderr.write(`${letters}\n`);
  const { value } = await prompt<{ value: T }>({
    type: 'expand',
    name: 'value',
    message: question,
    choices,
  } as never).catch(interrupted);
  return value;
}

/** What is wrong with an answer; undefined when nothing is. */
function fault(asked: Asked, text: string): string | undefined {
  if (text.trim() === '') return 'A value is needed here.';
  try {
    asked.check?.(text);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** Prompts go where notes go, so that standard output stays the result's. */
async function openPrompt({ stderr }: Terminal) {
  const { default: inquirer } = await import('inquirer');
  const output: NodeJS.WritableStream = stderr;
  return inquirer.createPromptModule({ output });
}

/** Ctrl-C at a prompt is what a person decided, no bug. Shells know 130 for it. */
function interrupted(error: unknown): never {
  if (error instanceof Error && error.name === 'ExitPromptError') {
    throw new AppError('shutting_down', 'Interrupted: nothing more was done.', { exit: 130 });
  }
  throw error;
}
