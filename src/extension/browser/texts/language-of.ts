import type { WidgetLanguage } from '../../../chat/api-types.js';
import { languageAmong } from '../../../chat/texts/button-texts.js';

/** The language that was chosen; with `auto` the first of the browser's that there is, else English. */
export function languageOf(chosen: WidgetLanguage | 'auto'): WidgetLanguage {
  return languageAmong([chosen, ...navigator.languages]);
}
