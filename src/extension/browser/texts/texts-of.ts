import type { WidgetLanguage } from '../../../widget/browser/api-types.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import type { ExtensionTexts } from './texts.js';

const languages: Record<WidgetLanguage, ExtensionTexts> = { en, es, de };

export function extensionTextsOf(language: WidgetLanguage): ExtensionTexts {
  return languages[language];
}
