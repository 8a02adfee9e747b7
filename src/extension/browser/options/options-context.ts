import type { WidgetLanguage } from '../../../chat/api-types.js';
import type { Service } from '../service/service.js';
import type { ExtensionTexts } from '../texts/texts.js';
import type { Status } from './status.js';

/** Passed to each section of the options page. */
export interface OptionsContext extends Pick<Status, 'say' | 'fail'> {
  service: Service;
  texts: ExtensionTexts;
  language: WidgetLanguage;
}
