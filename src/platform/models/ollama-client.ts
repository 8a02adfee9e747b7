import type { Logger } from '../log.js';
import type { Counter } from '../counter.js';
import { noTracing, type Tracing } from '../tracing.js';
import { loadModel } from './chat-stream.js';
import { openConnection } from './connection.js';
import { createContextWindow } from './context-window.js';
import {
  embedTexts,
  installedDigest,
  type AskOllama,
  type Embeddings,
  type EmbeddingSettings,
  type EmbedRequest,
} from './embed.js';
import {
  readDescription,
  readInstalled,
  readLoaded,
  type InstalledModel,
  type LoadedModel,
  type ModelDescription,
} from './installed-models.js';
import { ModelError } from './model-error.js';
import { pullModel, type PullOptions } from './pull-model.js';
import { createRequestQueue, type QueueLoad } from './request-queue.js';
import { createChat, type ChatAnswer, type ChatRequest, type ChatSettings } from './run-chat.js';
import { createStatusReader, type OllamaStatus } from './server-status.js';
import { createTokenRatios, type TokenRatios } from './token-ratio.js';
import { createCallTracer } from './trace-calls.js';

export type { ChatAnswer, ChatRequest } from './run-chat.js';
export type { OllamaStatus } from './server-status.js';

export interface OllamaSettings extends ChatSettings, Partial<EmbeddingSettings> {
  /** The forms of OLLAMA_HOST: `host`, `host:port`, `:port` or a URL. */
  url: string;
  /** The window in tokens, at most the model's maximum. All calls use one value: a change reloads the model. */
  numCtx: number;
  /** Chats at a time. Further chats wait in this client. */
  concurrency: number;
  statusTimeoutMs?: number;
  /** How long a status is cached. */
  statusKeepMs?: number;
  /** The longest time without progress in a pull: at its end, Ollama verifies a large file. */
  pullIdleMs?: number;
}

/** Receives events of model calls. Every member is optional. */
export interface ModelObserver {
  log?: Pick<Logger, 'warn'>;
  events?: Counter<{ event: string }>;
  tracing?: Tracing;
}

/** Calls that reach the server reject with ModelError (`model_unavailable`), except where noted. */
export interface OllamaClient {
  /** The server's address without credentials; it may be shown. */
  base: string;
  /** On failure, the ModelError's `partialText` holds the part of the answer that had arrived. */
  chat(request: ChatRequest): Promise<ChatAnswer>;
  /**
   * Returns one vector per text, by the configured embedding model unless another is named. Rejects with ModelError
   * (`model_unavailable`), but handles texts that are too long and a busy server itself.
   */
  embed(request: EmbedRequest): Promise<Embeddings>;
  /** The digest of a model's current version. Rejects as embed does. */
  digestOf(model: string): Promise<string>;
  /** Cheap enough for every request: fast, cached, and never rejects. */
  status(): Promise<OllamaStatus>;
  /** The tokens that the chat model's prompt and answer may take together. Asked once; never rejects. */
  window(): Promise<number>;
  /** True when the server reports that the chat model can think. Never rejects. */
  canThink(): Promise<boolean>;
  /** The learned token ratios, for budgeting prompts. */
  tokens: TokenRatios;
  installed(): Promise<InstalledModel[]>;
  /** The models in the server's memory now. */
  loaded(): Promise<LoadedModel[]>;
  show(model: string): Promise<ModelDescription>;
  /** Has no time limit. An aborted pull continues later where it stopped. */
  pull(model: string, options?: PullOptions): Promise<void>;
  /** Loads the chat model with the window of later chats, so that no person waits for loading. */
  warm(signal?: AbortSignal): Promise<void>;
  /** The number of running and waiting chats. */
  load(): QueueLoad;
  /** Ends running calls with `shutting_down`, and all connections. */
  close(): Promise<void>;
}

const noEmbeddings: EmbeddingSettings = {
  embeddingModel: '',
  embeddingBatch: 32,
  embeddingTimeoutMs: 120_000,
  embeddingQueryPrefix: null,
  embeddingPassagePrefix: null,
};

/** Opens nothing until the first call. Refuses an invalid `url` with invalid_config. */
export function createOllamaClient(
  settings: OllamaSettings,
  observer: ModelObserver = {},
): OllamaClient {
  const { chatModel } = settings;
  const { tracing = noTracing } = observer;
  const connection = openConnection(settings.url, tracing);
  const tracer = createCallTracer(tracing, connection.base);
  const queue = createRequestQueue(settings.concurrency);
  const tokens = createTokenRatios();
  const timeoutMs = settings.statusTimeoutMs ?? 5000;
  const show = (model: string) =>
    connection.ask({ model, timeoutMs }, (ollama) => readDescription(ollama, model));
  const window = createContextWindow(chatModel, settings.numCtx, () => show(chatModel));
  const statusReader = createStatusReader(
    (question) => connection.ask({ model: chatModel, timeoutMs }, question),
    (installed) => window.seen(installed),
    chatModel,
    settings.statusKeepMs ?? 5000,
  );
  const checkPrompt = createPromptCheck(chatModel, observer);
  const chat = createChat(connection, settings, queue, () => window.read(), {
    happened: (event) => observer.events?.add({ event }),
    answered(prompt) {
      // A prompt that was cut gives no measure of the length of tokens.
      if (checkPrompt(prompt)) tokens.learn(chatModel, prompt.characters, prompt.tokens);
    },
  });
  const embedding = { ...noEmbeddings, ...settings };
  const askEmbedder: AskOllama = (model, signal, question) =>
    connection.ask({ model, timeoutMs: embedding.embeddingTimeoutMs, signal }, question);
  const ask = <T>(read: Parameters<typeof connection.ask<T>>[1]) =>
    connection.ask({ model: chatModel, timeoutMs }, read);

  return {
    base: connection.base,
    async chat(request) {
      try {
        return await tracer.chat(chatModel, request, chat);
      } catch (error) {
        // This error disproves the cached status, so the next read asks the server.
        if (error instanceof ModelError) statusReader.forget();
        throw error;
      }
    },
    embed(request) {
      const { model = embedding.embeddingModel, input } = request;
      return tracer.embed(model, input.length, () => embedTexts(askEmbedder, embedding, request));
    },
    digestOf: (model) => askEmbedder(model, undefined, (ollama) => installedDigest(ollama, model)),
    status: () => statusReader.read(),
    window: async () => (await window.read()).numCtx,
    canThink: async () => (await window.read()).canThink,
    tokens,
    installed: () => ask(readInstalled),
    loaded: () => ask(readLoaded),
    show,
    async pull(model, options = {}) {
      await pullModel(connection, model, options, settings.pullIdleMs ?? 300_000);
      statusReader.forget();
    },
    async warm(signal) {
      const { numCtx } = await window.read();
      const limits = { model: chatModel, timeoutMs: settings.firstTokenTimeoutMs, signal };
      await connection.ask(limits, (ollama) =>
        loadModel(ollama, { chatModel, keepAlive: settings.keepAlive, numCtx }),
      );
    },
    load: () => queue.load(),
    async close() {
      await connection.close();
      await tokens.settled();
    },
  };
}

/** Counts prompts that the server has cut, and logs the first one. Returns whether a prompt was read completely. */
function createPromptCheck(model: string, { log, events }: ModelObserver) {
  let isTold = false;
  return (prompt: SentPrompt): boolean => {
    if (!wasCut(prompt)) return true;
    events?.add({ event: 'prompt_cut' });
    if (!isTold) {
      log?.warn(
        { model, ...prompt },
        'Ollama seems to have cut a prompt without a word: update it, and see that it gives the model the window of ollama.num_ctx (assistant doctor)',
      );
    }
    isTold = true;
    return false;
  };
}

/** A sent prompt, and the number of tokens that the server read of it. */
interface SentPrompt {
  characters: number;
  /** 0 when the server does not report it. */
  tokens: number;
  numCtx: number;
}

/** Over a whole prompt, no language and no code has more characters per token. */
const mostCharactersPerToken = 6.75;
/** With fewer tokens, the server may have used its cache: a repeated prompt counts as a few tokens. */
const leastTokens = 1000;

/**
 * True when the server has silently cut the prompt, as older servers do with its beginning. Detects only clear cases: a
 * prompt that fits the window with no tokenizer, or a long prompt with far too few counted tokens.
 */
export function wasCut({ characters, tokens, numCtx }: SentPrompt): boolean {
  if (tokens === 0) return false;
  if (characters / mostCharactersPerToken > numCtx) return true;
  return tokens >= leastTokens && characters / tokens > mostCharactersPerToken;
}
