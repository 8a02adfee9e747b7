import type { WidgetLanguage } from '../api-types.js';

/**
 * A time in the reader's own date format, if the language matches: English is not always American. Today shows only the
 * time, this year only the day.
 */
export function timeText(time: string, language: WidgetLanguage): string {
  const own = navigator.languages.find((one) => one.startsWith(language)) ?? language;
  const now = new Date();
  const then = new Date(time);
  const day =
    then.toDateString() !== now.toDateString() && ({ day: 'numeric', month: 'short' } as const);
  const year = then.getFullYear() !== now.getFullYear() && ({ year: 'numeric' } as const);
  const format = { ...day, ...year, hour: 'numeric', minute: 'numeric' } as const;
  return then.toLocaleString(own, format);
}
