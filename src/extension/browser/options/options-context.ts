import type { WidgetLanguage } from '../../../widget/browser/api-types.js';
import type { Service } from '../service/service.js';
import type { ExtensionTexts } from '../texts/texts.js';

/** What each section of the options page is given. */
export interface OptionsContext {
  service: Service;
  texts: ExtensionTexts;
  language: WidgetLanguage;
  /** Says a sentence at the top of the page, and to whoever has it read out. */
  say: (text: string) => void;
}
