import type { App } from '../../platform/app.js';
import { prefixFor } from '../../platform/models/embed.js';
import { ollamaSettings } from '../../platform/models/ollama-settings.js';
import type { WantedModel } from './generation.js';

/** The configured embedding model as installed now. Refuses with `model_unavailable`. */
export async function wantedModel(app: Pick<App, 'config' | 'models'>): Promise<WantedModel> {
  const model = app.config.ollama.embedding_model;
  const digest = await app.models.digestOf(model);
  return { model, digest, passagePrefix: passagePrefixOf(app, model) };
}

function passagePrefixOf(app: Pick<App, 'config'>, model: string): string {
  return prefixFor(ollamaSettings(app.config.ollama), model, 'passage');
}
