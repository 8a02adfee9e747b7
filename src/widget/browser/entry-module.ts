import type { PartName } from '../part-names.js';
import type { AssistantApi } from './api-types.js';
import { createAssistant } from './lifecycle.js';

/*
 * `assistant/widget`, for pages that bundle their scripts. Touches the page no earlier than initAssistant, so that it
 * may be imported where there is none. Bundlers load the parts late as well.
 */

const parts: Record<PartName, () => Promise<{ part: unknown }>> = {
  panel: () => import('./parts/panel.js'),
  pages: () => import('./parts/pages.js'),
  requests: () => import('./parts/requests.js'),
  masking: () => import('./parts/masking.js'),
  'host-theme': () => import('./parts/host-theme.js'),
  'texts-en': () => import('./texts/en.js'),
  'texts-es': () => import('./texts/es.js'),
  'texts-de': () => import('./texts/de.js'),
};

export const Assistant: AssistantApi = createAssistant(
  undefined,
  async (name) => (await parts[name]()).part,
);
export const { initAssistant, destroyAssistant, updateAssistant } = Assistant;
