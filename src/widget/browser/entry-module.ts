import type { AssistantApi } from './api-types.js';
import { createAssistant } from './lifecycle.js';

/*
 * `assistant/widget`, for pages that bundle their scripts. Touches the page no earlier than initAssistant, so that it
 * may be imported where there is none.
 */

export const Assistant: AssistantApi = createAssistant(undefined, async () => {
  const { panelParts } = await import('./panel-parts.js');
  return panelParts;
});
export const { initAssistant, destroyAssistant, updateAssistant } = Assistant;
