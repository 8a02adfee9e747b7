import type { Config } from '../platform/config/schema.js';
import { isSameModel } from '../platform/models/installed-models.js';
import type { OllamaClient } from '../platform/models/ollama-client.js';
import { configuredModels, type ModelUse } from './configured-models.js';

/** A model on the server, or a configured one that is missing there. */
export interface ListedModel {
  name: string;
  /** How the configuration uses it; empty for others. */
  uses: ModelUse[];
  installed: boolean;
  sizeBytes: number;
  parameters: string;
  quantization: string;
  digest: string;
  /** Null when it is not in memory. */
  loaded: { contextLength: number | null; gpuShare: number } | null;
}

/** Lists the models, the configured ones first. Errors: `model_unavailable` when no Ollama answers. */
export async function listModels(
  config: Config,
  models: Pick<OllamaClient, 'installed' | 'loaded'>,
): Promise<ListedModel[]> {
  const [installed, loaded] = await Promise.all([models.installed(), models.loaded()]);
  const configured = configuredModels(config.ollama);
  const present = installed.map((model): ListedModel => {
    const memory = loaded.find(({ name }) => isSameModel(name, model.name));
    return {
      name: model.name,
      uses: configured.find(({ name }) => isSameModel(name, model.name))?.uses ?? [],
      installed: true,
      sizeBytes: model.sizeBytes,
      parameters: model.parameters,
      quantization: model.quantization,
      digest: model.digest,
      loaded:
        memory === undefined
          ? null
          : {
              contextLength: memory.contextLength ?? null,
              gpuShare: memory.sizeBytes > 0 ? memory.gpuBytes / memory.sizeBytes : 0,
            },
    };
  });
  const missing = configured
    .filter(({ name }) => !installed.some((model) => isSameModel(model.name, name)))
    .map(({ name, uses }): ListedModel => {
      const unknown = { sizeBytes: 0, parameters: '', quantization: '', digest: '' };
      return { name, uses, installed: false, ...unknown, loaded: null };
    });
  const others = present.filter(({ uses }) => uses.length === 0);
  return [...missing, ...present.filter(({ uses }) => uses.length > 0), ...others];
}
