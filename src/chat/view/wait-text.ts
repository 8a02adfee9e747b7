import type { WidgetLanguage } from '../api-types.js';

/** A duration in seconds as "in …", in a suitable unit. Waits are never as long as a month, so that unit is missing. */
export function waitText(seconds: number, language: WidgetLanguage): string {
  const [length, unit] =
    seconds > 86_400
      ? ([86_400, 'day'] as const)
      : seconds > 120
        ? ([60, 'minute'] as const)
        : ([1, 'second'] as const);
  return new Intl.RelativeTimeFormat(language).format(Math.ceil(seconds / length), unit);
}
