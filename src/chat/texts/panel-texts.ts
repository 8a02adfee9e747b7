import type { WidgetLanguage } from '../api-types.js';
import { buttonTextsOf } from './button-texts.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import type { PanelTexts, Texts } from './texts.js';

export const panelTexts: Record<WidgetLanguage, PanelTexts> = { en, es, de };

export function textsOf(language: WidgetLanguage): Texts {
  return { ...buttonTextsOf(language), ...panelTexts[language] };
}
