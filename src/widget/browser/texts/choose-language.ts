import type { WidgetLanguage } from '../api-types.js';
import { languageAmong } from './button-texts.js';

/** The language asked for; with `auto` the page's own, else the first of the reader's that there is, else English. */
export function chooseLanguage(wanted: WidgetLanguage | 'auto'): WidgetLanguage {
  return languageAmong([wanted, document.documentElement.lang, ...navigator.languages]);
}
