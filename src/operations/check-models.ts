import type { Config } from '../platform/config/schema.js';
import { messageOf } from '../platform/errors.js';
import type { OllamaClient } from '../platform/models/ollama-client.js';

/** Whether a model does its work; `reason` names the remedy if not. Times are in milliseconds. */
export type ModelReport = ChatReport | EmbeddingReport;

interface Outcome {
  model: string;
  ok: boolean;
  reason: string | null;
}

export interface ChatReport extends Outcome {
  use: 'chat';
  /** From sending the question, including loading. */
  firstTokenMs: number | null;
  /** The server's time for loading the model. */
  loadMs: number | null;
  tokensPerSecond: number | null;
  /** The tokens that prompt and answer may take together. */
  windowTokens: number | null;
}

export interface EmbeddingReport extends Outcome {
  use: 'embedding';
  totalMs: number | null;
  /** The length of a vector. */
  dimension: number | null;
}

export interface CheckOptions {
  signal?: AbortSignal;
  /** Called every few seconds while the model is being loaded. */
  onLoading?: (model: string, seconds: number) => void;
}

/** Lets each configured model do a small task. Never rejects, except with the signal's reason. */
export async function checkModels(
  config: Config,
  models: OllamaClient,
  options: CheckOptions = {},
): Promise<ModelReport[]> {
  const chat = await checkChat(config, models, options);
  const { embedding_model: embedding } = config.ollama;
  if (embedding === '') return [chat];
  return [chat, await checkEmbedding(config, models, options)];
}

async function checkChat(
  config: Config,
  models: OllamaClient,
  { signal, onLoading }: CheckOptions,
): Promise<ChatReport> {
  const model = config.ollama.chat_model;
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
    return {
      use: 'chat',
      model,
      ok: true,
      reason: null,
      firstTokenMs,
      loadMs: Math.round(timing.loadMs),
      tokensPerSecond: seconds > 0 ? Math.round((completionTokens / seconds) * 10) / 10 : null,
      windowTokens: await models.window(),
    };
  } catch (error) {
    signal?.throwIfAborted();
    const unknown = { loadMs: null, tokensPerSecond: null, windowTokens: null };
    return { use: 'chat', model, ok: false, reason: messageOf(error), firstTokenMs, ...unknown };
  }
}

async function checkEmbedding(
  config: Config,
  models: OllamaClient,
  { signal }: CheckOptions,
): Promise<EmbeddingReport> {
  const model = config.ollama.embedding_model;
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
