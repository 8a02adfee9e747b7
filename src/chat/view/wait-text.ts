import type { WidgetLanguage } from '../api-types.js';

/** So many seconds from now, in the unit that says it best: a month's units are not waited for in seconds. */
export function waitText(seconds: number, language: WidgetLanguage): string {
  const [length, unit] =
    seconds > 86_400
      ? ([86_400, 'day'] as const)
      : seconds > 120
        ? ([60, 'minute'] as const)
        : ([1, 'second'] as const);
  return new Intl.RelativeTimeFormat(language).format(Math.ceil(seconds / length), unit);
}
