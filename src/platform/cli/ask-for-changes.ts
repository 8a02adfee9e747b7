import type { Option } from './command-group.js';
import { askFor } from './prompts.js';
import { isInteractive, missingValue, type Terminal } from './terminal.js';

/** One editable value: the option that gives it, and how to ask a person for it. */
export interface Field<T> {
  /** E.g. `--name <name>`. */
  flags: string;
  /** The option's description in the help. */
  about: string;
  what: string;
  /** Parses the typed text. Throws the AppError of an unusable value. */
  read: (text: string) => T;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type Change<F extends Fields> = { [K in keyof F]?: ReturnType<F[K]['read']> | undefined };

export function optionsOf(fields: Fields): Option[] {
  return Object.values(fields).map(({ flags, about, read }) => [flags, about, read] as const);
}

/** Returns the given value of a required field, or asks the person at the terminal for it. */
export function askForField(
  terminal: Terminal,
  given: string | undefined,
  { flags, what, read }: Field<string>,
): Promise<string> {
  return askFor(terminal, given, { option: optionIn(flags), what, check: read });
}

/**
 * Reads the changes to an existing record. If any option was given, only the given values change. Otherwise a person at
 * the terminal edits each present value; unchanged values stay undefined. Errors: `usage` when nobody can be asked,
 * naming the options.
 */
export async function askForChanges<F extends Fields>(
  terminal: Terminal,
  options: Change<F>,
  fields: F,
  /** The present values, in the form in which the options take them. */
  present: { [K in keyof F]: string },
): Promise<Change<F>> {
  const wanted: Change<F> = {};
  for (const name in fields) wanted[name] = options[name];
  if (!isUnchanged(wanted)) return wanted;
  const all = Object.values(fields).map(({ flags }) => optionIn(flags));
  if (!isInteractive(terminal)) throw missingValue(all.join(' or '), 'What to change');
  for (const [name, { flags, what, read }] of Object.entries(fields)) {
    const before = present[name] ?? '';
    const asked = { option: optionIn(flags), what, default: before, isEdited: true, check: read };
    const text = await askFor(terminal, undefined, asked);
    if (text.trim() !== before) wanted[name as keyof F] = read(text) as Change<F>[keyof F];
  }
  return wanted;
}

export function isUnchanged(change: Record<string, unknown>): boolean {
  return Object.values(change).every((value) => value === undefined);
}

function optionIn(flags: string): string {
  return flags.split(' ')[0] ?? flags;
}
