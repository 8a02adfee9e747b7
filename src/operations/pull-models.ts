import type { Config } from '../platform/config/schema.js';
import { messageOf } from '../platform/errors.js';
import { isInstalled } from '../platform/models/installed-models.js';
import type { OllamaClient } from '../platform/models/ollama-client.js';
import type { PullProgress } from '../platform/models/pull-model.js';
import { configuredModels } from './configured-models.js';

export interface PulledModel {
  model: string;
  ok: boolean;
  /** The remedy when it was not pulled. */
  reason: string | null;
}

export interface PullModelsOptions {
  onProgress?: (model: string, progress: PullProgress) => void;
  onPulled?: (pulled: PulledModel) => void;
  signal?: AbortSignal;
}

/**
 * Pulls the named models in sequence; default: the configured ones that are missing. A failure does not stop the
 * others. Without named models, refuses with `model_unavailable` when no Ollama answers.
 */
export async function pullModels(
  config: Config,
  models: Pick<OllamaClient, 'installed' | 'pull'>,
  named: readonly string[],
  { onProgress, onPulled, signal }: PullModelsOptions = {},
): Promise<PulledModel[]> {
  const pulled: PulledModel[] = [];
  for (const model of named.length > 0 ? named : await missingModels(config, models)) {
    const outcome: PulledModel = { model, ok: true, reason: null };
    try {
      await models.pull(model, {
        onProgress: (progress) => onProgress?.(model, progress),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      Object.assign(outcome, { ok: false, reason: messageOf(error) });
    }
    pulled.push(outcome);
    onPulled?.(outcome);
  }
  return pulled;
}

/** The configured models that the server lacks. */
export async function missingModels(
  config: Config,
  models: Pick<OllamaClient, 'installed'>,
): Promise<string[]> {
  const installed = (await models.installed()).map(({ name }) => name);
  const names = configuredModels(config.ollama).map(({ name }) => name);
  return names.filter((name) => !isInstalled(name, installed));
}
