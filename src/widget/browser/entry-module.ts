import type { PartName } from '../../chat/parts/part-names.js';
import type { AssistantApi } from '../../chat/api-types.js';
import { createAssistant } from './lifecycle.js';

/*
 * `assistant/widget`, for pages that bundle their scripts. It does not touch the page before initAssistant, so it can
 * be imported without one. Bundlers also load the parts on demand.
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
