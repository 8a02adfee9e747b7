import type { Config } from '../platform/config/schema.js';
import { messageOf } from '../platform/errors.js';
import type { Logger } from '../platform/log.js';
import { createOllamaClient, type OllamaClient } from '../platform/models/ollama-client.js';
import { ollamaSettings } from '../platform/models/ollama-settings.js';
import { configuredModels, type ModelUse } from './configured-models.js';
import { askTrialQuestions, type Trial } from './trial-questions.js';

/**
 * Whether a model does its work: a chat model answers, and cites in at least one language. `reason` names the remedy if
 * not. Times are in milliseconds.
 */
export type ModelReport = ChatReport | EmbeddingReport;

interface Outcome {
  model: string;
  ok: boolean;
  reason: string | null;
}

export interface ChatReport extends Outcome {
  use: 'chat';
  /** The time from sending the first question, including loading. */
  firstTokenMs: number | null;
  /** The server's time for loading the model. */
  loadMs: number | null;
  tokensPerSecond: number | null;
  /** The tokens that prompt and answer may take together. */
  windowTokens: number | null;
  /** One question in each language, with the model loaded; empty when the model did not answer. */
  trials: Trial[];
}

export interface EmbeddingReport extends Outcome {
  use: 'embedding';
  totalMs: number | null;
  /** The length of a vector. */
  dimension: number | null;
}

export interface CheckOptions {
  /** The models to check, whether or not the settings name them; default: those of the settings. */
  named?: readonly string[];
  log: Logger;
  signal?: AbortSignal;
  /** Called every few seconds while the model is being loaded. */
  onLoading?: (model: string, seconds: number) => void;
  onTrial?: (model: string) => void;
}

/** Tries each model with some work. Never rejects, except with the signal's reason. */
export async function checkModels(config: Config, options: CheckOptions): Promise<ModelReport[]> {
  const reports: ModelReport[] = [];
  const { named = [] } = options;
  const all = named.length > 0 ? named.map(asNamed) : configuredModels(config.ollama);
  for (const { name, uses } of all) {
    // The client of a model outside the settings differs only in the name.
    const ollama = { ...config.ollama, chat_model: name };
    const models = createOllamaClient(ollamaSettings(ollama));
    try {
      for (const use of uses ?? (await usesOf(models, name))) {
        const check = use === 'chat' ? checkChat : checkEmbedding;
        reports.push(await check({ ...config, ollama }, models, name, options));
      }
    } finally {
      await models.close();
    }
  }
  return reports;
}

function asNamed(name: string): { name: string; uses?: ModelUse[] } {
  return { name };
}

/** An older server does not report it; and a model that is not there is best reported by a chat. */
async function usesOf(models: OllamaClient, name: string): Promise<ModelUse[]> {
  const { capabilities } = await models.show(name).catch(() => ({ capabilities: [] as string[] }));
  const embeds = capabilities.includes('embedding') && !capabilities.includes('completion');
  return embeds ? ['embedding'] : ['chat'];
}

const citesNothing =
  'it cites no source in its answers. Such an answer is shown only if a passage supports all its sentences; else the knowledge is quoted. See which models fit: assistant models choose';

async function checkChat(
  config: Config,
  models: OllamaClient,
  model: string,
  { signal, onLoading, onTrial, log }: CheckOptions,
): Promise<ChatReport> {
  const began = performance.now();
  let firstTokenMs: number | null = null;
  try {
    const { timing, completionTokens } = await models.chat({
      messages: [{ role: 'user', content: 'Count from one to ten in words, and nothing else.' }],
      maxTokens: 64,
      temperature: 0,
      onText: () => (firstTokenMs ??= Math.round(performance.now() - began)),
      onWaiting: (what, seconds) => {
        if (what === 'model' && seconds > 0) onLoading?.(model, seconds);
      },
      ...(signal === undefined ? {} : { signal }),
    });
    const seconds = timing.writeMs / 1000;
    onTrial?.(model);
    const windowTokens = await models.window();
    const trials = await askTrialQuestions({ models, config, log }, signal);
    const cites = trials.some((trial) => trial.cites);
    return {
      use: 'chat',
      model,
      ok: cites,
      reason: cites ? null : citesNothing,
      firstTokenMs,
      loadMs: Math.round(timing.loadMs),
      tokensPerSecond: seconds > 0 ? Math.round((completionTokens / seconds) * 10) / 10 : null,
      windowTokens,
      trials,
    };
  } catch (error) {
    signal?.throwIfAborted();
    const unknown = { loadMs: null, tokensPerSecond: null, windowTokens: null, trials: [] };
    return { use: 'chat', model, ok: false, reason: messageOf(error), firstTokenMs, ...unknown };
  }
}

async function checkEmbedding(
  _config: Config,
  models: OllamaClient,
  model: string,
  { signal }: CheckOptions,
): Promise<EmbeddingReport> {
  const began = performance.now();
  try {
    const { dimension } = await models.embed({ input: ['A test.'], kind: 'query', model, signal });
    const totalMs = Math.round(performance.now() - began);
    return { use: 'embedding', model, ok: true, reason: null, totalMs, dimension };
  } catch (error) {
    signal?.throwIfAborted();
    const reason = messageOf(error);
    return { use: 'embedding', model, ok: false, reason, totalMs: null, dimension: null };
  }
}
