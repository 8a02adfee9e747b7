import { didYouMean } from './text/closest-word.js';
import { AppError } from './errors.js';

/** The names by which the command line accepts a record. */
export interface Names {
  id?: number;
  /** Its uuid or key. These are unique, so the beginning is enough. */
  key?: string;
  /** Its names. Other records may have the same name or beginning. */
  names?: readonly string[];
}

export interface Wanted {
  /**
   * Accept only whole names when nobody is asked. Otherwise `delete shop.example --yes` would delete shop.example.org
   * once shop.example is gone.
   */
  whole?: boolean | undefined;
}

interface Search<T> extends Wanted {
  /** The kind of record, e.g. `app`. */
  thing: string;
  among: readonly T[];
  namesOf: (item: T) => Names;
}

/** The number of candidates that an error lists. */
const listed = 10;

/**
 * Finds one record by its number, its whole name, or an unambiguous beginning. Errors: `usage` when the text is
 * ambiguous, listing the candidates; `not_found` when nothing matches, suggesting a name.
 */
export function findNamed<T>(given: string, { thing, among, namesOf, whole }: Search<T>): T {
  const text = given.trim();
  // An empty variable of a script would match the beginning of everything.
  if (text === '') throw new AppError('usage', `The ${thing} is missing: its name is empty.`);
  const lower = text.toLowerCase();
  const texts = (item: T) => {
    const { key, names = [] } = namesOf(item);
    return key === undefined ? names : [key, ...names];
  };
  const all = among.flatMap(texts);
  const isDigits = /^\d+$/.test(text) && among.some((item) => namesOf(item).id !== undefined);
  const begins = (value: string) => value.toLowerCase().startsWith(lower);
  const rules: ((item: T) => boolean)[] = [
    (item) => isDigits && namesOf(item).id === Number(text),
    (item) => texts(item).includes(text),
    (item) => texts(item).some((value) => value.toLowerCase() === lower),
    // Digits alone are a record number, even of a deleted record, and no beginning of a key, where records have numbers.
    (item) => !isDigits && begins(namesOf(item).key ?? ''),
    (item) => !isDigits && texts(item).some(begins),
  ];
  for (const rule of rules) {
    const found = among.filter(rule);
    const [first] = found;
    if (first === undefined) continue;
    if (found.length > 1) throw ambiguous(text, thing, found.map(namesOf));
    if (whole === true && rule === rules.at(-1)) {
      const sentence = `${text} is only the beginning of ${labelOf(namesOf(first))}. With --yes, give the whole name or the number.`;
      throw new AppError('usage', sentence);
    }
    return first;
  }
  throw new AppError('not_found', `There is no ${thing} ${text}.${didYouMean(text, all)}`);
}

function ambiguous(text: string, thing: string, found: Names[]): AppError {
  const lines = found.slice(0, listed).map((names) => `\n  ${labelOf(names)}`);
  const more = found.length > listed ? `\n  and ${found.length - listed} more` : '';
  const sentence = `${text} may mean any of these. Give more of the name of the ${thing}, or its number:`;
  return new AppError('usage', `${sentence}${lines.join('')}${more}`);
}

function labelOf({ id, key, names = [] }: Names): string {
  return [id, key, ...names].filter((part) => part !== undefined).join('  ');
}
