import { AppError, messageOf } from '../errors.js';
import { didYouMean } from '../text/closest-word.js';

/** A whole number from `least` to `most`, for commander's options. Errors: `usage`. */
export function wholeNumber(option: string, least = 1, most = Infinity): (text: string) => number {
  return (text) => {
    const number = Number(text);
    const isWhole = /^\d+$/.test(text) && Number.isSafeInteger(number);
    if (isWhole && number >= least && number <= most) return number;
    const range = most === Infinity ? `from ${least}` : `from ${least} to ${most}`;
    throw new AppError(
      'usage',
      `${option}: expected a whole number ${range}, not ${JSON.stringify(text)}.`,
    );
  };
}

/** A number such as 0.95 from `least` to `most`, for commander's options. Errors: `usage`. */
export function decimal(option: string, least: number, most = Infinity): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+(?:\.\d+)?$/.test(text) && number >= least && number <= most) return number;
    const range = most === Infinity ? `from ${least}` : `from ${least} to ${most}`;
    throw new AppError(
      'usage',
      `${option}: expected a number ${range}, not ${JSON.stringify(text)}.`,
    );
  };
}

/** A parser that accepts one of a few words. Help texts and completions read its `allowed` words. */
export type OneOf<T extends string> = ((text: string) => T) & { allowed: readonly T[] };

/** A parser for one of a few words, for commander's options. Errors: `usage`, suggesting the nearest word. */
export function oneOf<T extends string>(option: string, allowed: readonly T[]): OneOf<T> {
  const read = (text: string): T => {
    const found = allowed.find((value) => value === text);
    if (found !== undefined) return found;
    throw new AppError(
      'usage',
      `${option}: allowed are ${allowed.join(', ')}, not ${JSON.stringify(text)}.${didYouMean(text, allowed)}`,
    );
  };
  return Object.assign(read, { allowed });
}

/** A day of the calendar as `YYYY-MM-DD`, for commander's options. Errors: `usage`. */
export function calendarDay(option: string): (text: string) => string {
  return (text) => {
    const time = Date.parse(`${text}T00:00:00.000Z`);
    // Date turns 31 June into 1 July, so the date is formatted again and compared.
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time);
    if (isDay && new Date(time).toISOString().startsWith(text)) return text;
    const sentence = `${option}: expected a day as YYYY-MM-DD, not ${JSON.stringify(text)}.`;
    throw new AppError('usage', sentence);
  };
}

const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A duration such as 90s, 30m, 24h or 7d, in seconds. Only 0 needs no unit: 24 is unclear. Errors: `usage`. */
export function duration(option: string, longest: string): (text: string) => number {
  const seconds = (text: string) => {
    const [, number, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
    return text === '0' ? 0 : Number(number) * (units[unit] ?? NaN);
  };
  return (text) => {
    const given = seconds(text);
    if (given <= seconds(longest)) return given;
    const sentence = `${option}: expected a time such as 90s, 30m, 24h or 7d, at most ${longest}, not ${JSON.stringify(text)}.`;
    throw new AppError('usage', sentence);
  };
}

/** A time in the past: a duration such as 30m before now, or a day or time in UTC. Errors: `usage`. */
export function moment(option: string): (text: string) => Date {
  return (text) => {
    const [, number, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
    if (number !== undefined)
      return new Date(Date.now() - Number(number) * (units[unit] ?? 0) * 1000);
    const isTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$/.test(text);
    const time = new Date(text.length === 10 || text.endsWith('Z') ? text : `${text}Z`);
    if (isTime && !Number.isNaN(time.getTime())) return time;
    const sentence = `${option}: expected a time such as 30m, 24h, 7d, 2026-01-31 or 2026-01-31T08:00 (UTC), not ${JSON.stringify(text)}.`;
    throw new AppError('usage', sentence);
  };
}

/** A case-insensitive regular expression. Errors: `usage`. */
export function pattern(option: string): (text: string) => RegExp {
  return (text) => {
    try {
      return new RegExp(text, 'i');
    } catch (error) {
      const sentence = `${option}: ${JSON.stringify(text)} is no regular expression (${messageOf(error)}).`;
      throw new AppError('usage', sentence);
    }
  };
}

/** One line of text of at most `most` characters, for commander's options. Errors: `usage`. */
export function oneLine(option: string, most = 200): (text: string) => string {
  return (text) => {
    const line = text.trim();
    if (line !== '' && line.length <= most && !/[\p{Cc}\p{Cs}]/u.test(line)) return line;
    const sentence = `${option}: expected one line of 1 to ${most} characters.`;
    throw new AppError('usage', sentence);
  };
}
