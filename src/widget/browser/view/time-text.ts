import type { WidgetLanguage } from '../api-types.js';

/** A moment as the reader writes dates, where the language is theirs: English is not all American. */
export function timeText(time: string, language: WidgetLanguage): string {
  const own = navigator.languages.find((one) => one.startsWith(language)) ?? language;
  const format = new Intl.DateTimeFormat(own, { dateStyle: 'medium', timeStyle: 'short' });
  return format.format(new Date(time));
}
