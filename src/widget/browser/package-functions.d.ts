import type { AssistantApi } from '../../chat/api-types.js';

/* Declarations of the package and the script, appended to those of api-types.ts for shipping. */

export declare const initAssistant: AssistantApi['initAssistant'];
export declare const destroyAssistant: AssistantApi['destroyAssistant'];
export declare const updateAssistant: AssistantApi['updateAssistant'];
export declare const Assistant: AssistantApi;

declare global {
  /** Set by the script, which then dispatches `assistant:ready`. */
  interface Window {
    Assistant?: AssistantApi;
    initAssistant?: AssistantApi['initAssistant'];
    destroyAssistant?: AssistantApi['destroyAssistant'];
    updateAssistant?: AssistantApi['updateAssistant'];
  }
}
