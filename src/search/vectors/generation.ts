import { plain, record, type RecordOf } from '../../platform/db/record.js';
import type { App } from '../../platform/app.js';
import { prefixFor } from '../../platform/models/embed.js';
import { ollamaSettings } from '../../platform/models/ollama-settings.js';

/**
 * `live`: searches use it. `building`: it is embedded beside the live one. `previous`: it was live before. `undone`: it
 * was live until somebody reverted it. `discarded`: it is being deleted.
 */
export type GenerationState = 'building' | 'live' | 'previous' | 'undone' | 'discarded';

export const generations = record({
  id: plain<number>(),
  model: plain<string>(),
  /** The digest of the model when the vectors were made; '' when the server reports none. */
  digest: plain<string>(),
  dimension: plain<number>(),
  passagePrefix: plain<string>(),
  state: plain<GenerationState>(),
  /** All passages up to this id were embedded. */
  embeddedTo: plain<number>(),
  /** Passages that the model could not embed: only words find them. */
  refused: plain<number>(),
  /** How often its vectors were mended: what was read of them before is read anew. */
  mended: plain<number>(),
  createdAt: plain<string>(),
});

/** The vectors of one installed version of a model. They are comparable only with each other. */
export type Generation = RecordOf<typeof generations>;

/** The configured model as installed now. */
export interface WantedModel {
  model: string;
  digest: string;
  passagePrefix: string;
}

/** True when a generation's vectors are comparable with new ones of the model. */
export function isOf(generation: Generation, wanted: WantedModel): boolean {
  if (generation.passagePrefix !== wanted.passagePrefix) return false;
  if (wanted.digest !== '' || generation.digest !== '') return generation.digest === wanted.digest;
  return generation.model === wanted.model;
}

/** The configured embedding model as installed now. Errors: `model_unavailable`. */
export async function wantedModel(app: Pick<App, 'config' | 'models'>): Promise<WantedModel> {
  const model = app.config.ollama.embedding_model;
  const digest = await app.models.digestOf(model);
  return { model, digest, passagePrefix: passagePrefixOf(app, model) };
}

function passagePrefixOf(app: Pick<App, 'config'>, model: string): string {
  return prefixFor(ollamaSettings(app.config.ollama), model, 'passage');
}
