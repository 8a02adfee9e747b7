import type { WidgetLanguage } from '../../../chat/api-types.js';
import { textsOf } from '../../../chat/texts/panel-texts.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import type { ExtensionTexts, OwnTexts } from './texts.js';

const languages: Record<WidgetLanguage, OwnTexts> = { en, es, de };

export function extensionTextsOf(language: WidgetLanguage): ExtensionTexts {
  return { ...textsOf(language), ...languages[language] };
}
