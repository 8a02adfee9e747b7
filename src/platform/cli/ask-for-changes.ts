import { askFor } from './prompts.js';
import { isInteractive, missingValue, type Terminal } from './terminal.js';

/** A value of something that is there, and how another one is given for it. */
export interface Field<T> {
  /** Its option, e.g. `--name`. */
  option: string;
  what: string;
  /** The present value, as the option would take it. */
  present: string;
  /** Makes the value of what was typed; throws the AppError of what can't be used. */
  read: (text: string) => T;
}

/**
 * What is to change of something that is there. Where any value was given, those that were: a script that names one
 * leaves the others alone. Else a person at the terminal edits each present value, and what they leave as it is stays
 * undefined. Refuses with `usage` where nobody can be asked, and names the options.
 */
export async function askForChanges<T extends Record<string, unknown>>(
  terminal: Terminal,
  given: { [K in keyof T]: T[K] | undefined },
  fields: { [K in keyof T]: Field<T[K]> },
): Promise<{ [K in keyof T]: T[K] | undefined }> {
  if (!isUnchanged(given)) return given;
  const options = Object.values<Field<unknown>>(fields).map(({ option }) => option);
  if (!isInteractive(terminal)) {
    throw missingValue(options.join(' or '), 'What to change');
  }
  const wanted = { ...given };
  for (const name in fields) {
    const { option, what, present, read } = fields[name];
    const asked = { option, what, default: present, isEdited: true, check: read };
    const text = await askFor(terminal, undefined, asked);
    if (text.trim() !== present) wanted[name] = read(text);
  }
  return wanted;
}

/** Whether nothing is to change. */
export function isUnchanged(change: Record<string, unknown>): boolean {
  return Object.values(change).every((value) => value === undefined);
}
