import type { AssistantApi } from './api-types.js';

export function createAssistant(origin: () => string | undefined): AssistantApi {
  void origin;
  throw new Error('to come');
}
