import { AppError } from '../errors.js';
import { nearest } from '../nearest.js';

/** A whole number of at least `least`, for commander's options. Refuses with `usage`. */
export function wholeNumber(option: string, least = 1): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
    throw new AppError(
      'usage',
      `${option}: expected a whole number from ${least}, not ${JSON.stringify(text)}.`,
    );
  };
}

/** One of some words, for commander's options. Refuses with `usage`, and a suggestion. */
export function oneOf<T extends string>(
  option: string,
  allowed: readonly T[],
): (text: string) => T {
  return (text) => {
    const found = allowed.find((value) => value === text);
    if (found !== undefined) return found;
    const hint = nearest(text, allowed);
    const suggestion = hint === undefined ? '' : ` Did you mean ${hint}?`;
    throw new AppError(
      'usage',
      `${option}: allowed are ${allowed.join(', ')}, not ${JSON.stringify(text)}.${suggestion}`,
    );
  };
}
