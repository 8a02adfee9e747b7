import type { Config } from '../platform/config/schema.js';
import { isSameModel } from '../platform/models/installed-models.js';

export interface ConfiguredModel {
  name: string;
  uses: ModelUse[];
}

/** `chat` writes answers, `embedding` makes vectors. */
export type ModelUse = 'chat' | 'embedding';

export function configuredModels(ollama: Config['ollama']): ConfiguredModel[] {
  const { chat_model: chat, embedding_model: embedding } = ollama;
  if (embedding === '') return [{ name: chat, uses: ['chat'] }];
  if (isSameModel(chat, embedding)) return [{ name: chat, uses: ['chat', 'embedding'] }];
  return [
    { name: chat, uses: ['chat'] },
    { name: embedding, uses: ['embedding'] },
  ];
}
