import type { WidgetLanguage } from '../../../chat/api-types.js';
import { languageAmong } from '../../../chat/texts/button-texts.js';

/** The chosen language; for `auto` the first of the browser's languages with texts, else English. */
export function languageOf(chosen: WidgetLanguage | 'auto'): WidgetLanguage {
  return languageAmong([chosen, ...navigator.languages]);
}
