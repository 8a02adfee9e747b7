import type { AssistantApi } from '../../chat/api-types.js';

/*
 * What the package and the script have beside the types of api-types.ts, behind which this is put into the
 * declarations that ship.
 */

export declare const initAssistant: AssistantApi['initAssistant'];
export declare const destroyAssistant: AssistantApi['destroyAssistant'];
export declare const updateAssistant: AssistantApi['updateAssistant'];
export declare const Assistant: AssistantApi;

declare global {
  /** Set by the script, which dispatches `assistant:ready` once they can be called. */
  interface Window {
    Assistant?: AssistantApi;
    initAssistant?: AssistantApi['initAssistant'];
    destroyAssistant?: AssistantApi['destroyAssistant'];
    updateAssistant?: AssistantApi['updateAssistant'];
  }
}
