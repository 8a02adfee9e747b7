import type { WidgetLanguage } from '../api-types.js';
import { deButton } from './de.js';
import { enButton } from './en.js';
import { esButton } from './es.js';
import type { ButtonTexts } from './texts.js';

const languages: Record<WidgetLanguage, ButtonTexts> = {
  en: enButton,
  es: esButton,
  de: deButton,
};

export function buttonTextsOf(language: WidgetLanguage): ButtonTexts {
  return languages[language];
}

/** The first of these language tags that has texts, else English. `de-AT` counts as `de`. */
export function languageAmong(tags: readonly string[]): WidgetLanguage {
  for (const tag of tags) {
    const language = tag.trim().toLowerCase().split(/[-_]/)[0] ?? '';
    if (Object.hasOwn(languages, language)) return language as WidgetLanguage;
  }
  return 'en';
}
