import type { Option } from './command-group.js';
import { askFor } from './prompts.js';
import { isInteractive, missingValue, type Terminal } from './terminal.js';

/** A value of a thing: the option that gives it, and what a person is asked for it. */
export interface Field<T> {
  /** E.g. `--name <name>`. */
  flags: string;
  /** What the help says of the option. */
  about: string;
  what: string;
  /** Makes the value of what was typed; throws the AppError of what can't be used. */
  read: (text: string) => T;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type Change<F extends Fields> = { [K in keyof F]?: ReturnType<F[K]['read']> | undefined };

/** The options that give the fields of a thing. */
export function optionsOf(fields: Fields): Option[] {
  return Object.values(fields).map(({ flags, about, read }) => [flags, about, read] as const);
}

/** A field that a new thing needs: the given value, else what a person answers. */
export function askForField(
  terminal: Terminal,
  given: string | undefined,
  { flags, what, read }: Field<string>,
): Promise<string> {
  return askFor(terminal, given, { option: optionIn(flags), what, check: read });
}

/**
 * What is to change of something that is there. Where any value was given, those that were: a script that names one
 * leaves the others alone. Else a person at the terminal edits each present value, and what they leave as it is stays
 * undefined. Refuses with `usage` where nobody can be asked, and names the options.
 */
export async function askForChanges<F extends Fields>(
  terminal: Terminal,
  options: Change<F>,
  fields: F,
  /** The present values, as the options would take them. */
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

/** Whether nothing is to change. */
export function isUnchanged(change: Record<string, unknown>): boolean {
  return Object.values(change).every((value) => value === undefined);
}

function optionIn(flags: string): string {
  return flags.split(' ')[0] ?? flags;
}
