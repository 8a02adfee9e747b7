import { didYouMean } from './text/closest-word.js';
import { AppError } from './errors.js';

/** What a thing may be called on the command line. */
export interface Names {
  /** Its number. */
  id?: number;
  /** Its uuid or key: no two are alike, so that a beginning is enough. */
  key?: string;
  /** Its names, which other things may have too, or begin with. */
  names?: readonly string[];
}

export interface Wanted {
  /**
   * Whether a name must be given whole: where nobody is asked, `delete shop.example --yes` must not delete
   * shop.example.org once shop.example is gone.
   */
  whole?: boolean | undefined;
}

interface Search<T> extends Wanted {
  /** What is looked for, e.g. `app`. */
  thing: string;
  among: readonly T[];
  namesOf: (item: T) => Names;
}

/** How many candidates an error lists. */
const listed = 10;

/**
 * The one thing that somebody means: by its number, by its whole name, or by a beginning that only it has. Refuses with
 * `usage` what may mean several, and lists them, and with `not_found` what means none, with a suggestion.
 */
export function findNamed<T>(given: string, { thing, among, namesOf, whole }: Search<T>): T {
  const text = given.trim();
  // An empty variable of a script is the beginning of everything.
  if (text === '') throw new AppError('usage', `The ${thing} is missing: its name is empty.`);
  const lower = text.toLowerCase();
  const texts = (item: T) => {
    const { key, names = [] } = namesOf(item);
    return key === undefined ? names : [key, ...names];
  };
  const all = among.flatMap(texts);
  const isDigits = /^\d+$/.test(text);
  const begins = (value: string) => value.toLowerCase().startsWith(lower);
  const rules: ((item: T) => boolean)[] = [
    (item) => isDigits && namesOf(item).id === Number(text),
    (item) => texts(item).includes(text),
    (item) => texts(item).some((value) => value.toLowerCase() === lower),
    // Digits alone are a number, also of what is gone, and never the beginning of something else.
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
