import type { WidgetLanguage } from '../../../widget/browser/api-types.js';

/** The language that was chosen; with `auto` the first of the browser's that there is, else English. */
export function languageOf(
  chosen: WidgetLanguage | 'auto',
  preferred: readonly string[] = navigator.languages,
): WidgetLanguage {
  for (const wanted of [chosen, ...preferred]) {
    const language = wanted.slice(0, 2).toLowerCase();
    if (language === 'en' || language === 'es' || language === 'de') return language;
  }
  return 'en';
}
