import { missingModelSentence } from './model-error.js';
import type { OllamaClient } from './ollama-client.js';

/** Returns why the chat model can't be asked now, as a sentence with the remedy; undefined when it can. */
export async function whyNotReady(
  models: Pick<OllamaClient, 'status' | 'base'>,
  settings: { chat_model: string },
): Promise<string | undefined> {
  const status = await models.status();
  if (!status.reachable) return status.reason;
  return status.chatModelInstalled
    ? undefined
    : missingModelSentence(settings.chat_model, models.base);
}
