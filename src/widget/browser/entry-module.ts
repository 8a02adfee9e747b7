import type { PartName } from '../../chat/parts/part-names.js';
import type { AssistantApi } from '../../chat/api-types.js';
import { createAssistant } from './lifecycle.js';

/*
 * `assistant/widget`, for pages that bundle their scripts. Touches the page no earlier than initAssistant, so that it
 * may be imported where there is none. Bundlers load the parts late as well.
 */

const parts: Record<PartName, () => Promise<{ part: unknown }>> = {
  panel: () => import('../../chat/parts/panel.js'),
  pages: () => import('../../chat/parts/pages.js'),
  requests: () => import('../../chat/parts/requests.js'),
  masking: () => import('../../chat/parts/masking.js'),
  'host-theme': () => import('../../chat/parts/host-theme.js'),
  'texts-en': () => import('../../chat/texts/en.js'),
  'texts-es': () => import('../../chat/texts/es.js'),
  'texts-de': () => import('../../chat/texts/de.js'),
};

export const Assistant: AssistantApi = createAssistant(
  undefined,
  async (name) => (await parts[name]()).part,
);
export const { initAssistant, destroyAssistant, updateAssistant } = Assistant;
