import { AppError } from '../errors.js';
import { isInteractive, missingValue, type Terminal } from './terminal.js';
import { printable } from '../text/printable.js';

export interface Asked {
  /** The option that gives the value without a prompt, e.g. `--email`. */
  option: string;
  what: string;
  secret?: boolean;
  default?: string;
  /** When true, the default is editable text in the line. When false, an empty line means the default. */
  isEdited?: boolean;
  /** Throws the AppError of an unusable value. A person is asked again; a script fails. */
  check?: (value: string) => unknown;
}

/**
 * Returns a value that a command needs: the given one, the person's answer at the terminal, or the default, in this
 * order. Errors: `usage` when there is none, so that a script never hangs.
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
  return ask<string>(terminal, {
    type: asked.secret === true ? 'password' : 'input',
    message: `${asked.what}:`,
    ...(asked.default === undefined ? {} : { default: asked.default }),
    ...(asked.isEdited === true ? { prefill: 'editable' as const } : {}),
    validate: (text: string) => fault(asked, text) ?? true,
  });
}

/**
 * A new password: ASSISTANT_PASSWORD, else the answer of the person, who types it twice. A mistyped one would lock its
 * owner out. Errors: `usage` when there is none.
 */
export async function askForNewPassword(
  terminal: Terminal,
  what: string,
  check: (value: string) => unknown,
): Promise<string> {
  const given = process.env['ASSISTANT_PASSWORD'];
  const isTyped = (given === undefined || given === '') && isInteractive(terminal);
  for (;;) {
    const option = 'the environment variable ASSISTANT_PASSWORD';
    const password = await askFor(terminal, given, { option, what, secret: true, check });
    if (!isTyped) return password;
    const again = { type: 'password', message: 'The same password again:' };
    if ((await ask<string>(terminal, again)) === password) return password;
    terminal.stderr.write('The two passwords differ. Type the password again.\n');
  }
}

/** Asks whether to continue with an irreversible change. Without a terminal, only --yes confirms. */
export async function confirm(
  terminal: Terminal,
  yes: boolean | undefined,
  question: string,
): Promise<boolean> {
  if (yes === true) return true;
  if (!isInteractive(terminal)) throw missingValue('--yes', 'The confirmation');
  return ask<boolean>(terminal, { type: 'confirm', message: printable(question), default: false });
}

export interface Choice<T extends string> {
  /** The letter to type. `h` is reserved for help. */
  key: string;
  value: T;
  name: string;
}

/** Asks the person at the terminal to choose one of several actions by its letter. */
export async function choose<T extends string>(
  terminal: Terminal,
  question: string,
  choices: Choice<T>[],
): Promise<T> {
  // Printed before the question, because the terminal redraws the question with each key.
  const letters = choices.map(({ key, name }) => `${key} ${name}`).join(', ');
  terminal.stderr.write(`${letters}\n`);
  return ask<T>(terminal, { type: 'expand', message: question, choices });
}

/** Asks the person at the terminal to pick one of a list; the first one is offered. */
export async function pickOne<T>(
  terminal: Terminal,
  question: string,
  choices: { name: string; value: T }[],
): Promise<T> {
  return ask<T>(terminal, {
    type: 'select',
    message: question,
    choices: choices.map(({ name, value }) => ({ name: printable(name), value })),
  });
}

/** The problem with an answer; undefined when the answer is valid. */
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

/** Prompts use standard error, so that standard output holds only the result. Ctrl-D ends one as Ctrl-C does. */
async function ask<T>({ stdin, stderr }: Terminal, question: object): Promise<T> {
  const { default: inquirer } = await import('inquirer');
  const output: NodeJS.WritableStream = stderr;
  const ended = new AbortController();
  // The prompt itself would wait forever: readline stops reading at Ctrl-D, and when it is resumed after Ctrl-Z.
  const onPause = () => {
    queueMicrotask(() => (stdin.isRaw === true ? stdin.resume() : ended.abort()));
  };
  stdin.on('pause', onPause);
  try {
    const prompt = inquirer.createPromptModule({ output, signal: ended.signal });
    const { value } = await prompt<{ value: T }>({ ...question, name: 'value' } as never);
    return value;
  } catch (error) {
    throw isInterruption(error) ? interrupted() : error;
  } finally {
    stdin.off('pause', onPause);
    stdin.pause();
  }
}

/** True after Ctrl-C, a signal, or Ctrl-D. */
function isInterruption(error: unknown): boolean {
  return error instanceof Error && /^(Exit|Abort)PromptError$/.test(error.name);
}

/** Ctrl-C at a prompt is a person's decision, not a bug. Shells expect exit code 130. */
function interrupted(): AppError {
  return new AppError('shutting_down', 'Interrupted: nothing more was done.', { exit: 130 });
}
