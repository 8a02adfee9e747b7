import type { Logger } from '../log.js';
import type { Counter } from '../counter.js';
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

export type { ChatAnswer, ChatRequest } from './run-chat.js';
export type { OllamaStatus } from './server-status.js';

export interface OllamaSettings extends ChatSettings, Partial<EmbeddingSettings> {
  /** As in OLLAMA_HOST: `host`, `host:port`, `:port` or a URL. */
  url: string;
  /** The model's window in tokens, as far as the model can: one value for all calls, since each change reloads it. */
  numCtx: number;
  /** Chats at a time; further ones wait here. */
  concurrency: number;
  statusTimeoutMs?: number;
  /** How long a status is believed. */
  statusKeepMs?: number;
  /** How long a pull may say nothing: a large file is looked through at its end. */
  pullIdleMs?: number;
}

/** Who is told what happens between us and the models; all of it may be left out. */
export interface ModelObserver {
  log?: Pick<Logger, 'warn'>;
  events?: Counter<{ event: string }>;
}

/** All calls that go to the server reject with ModelError (`model_unavailable`) unless said. */
export interface OllamaClient {
  /** Where the server is, without credentials: may be shown. */
  base: string;
  /** The ModelError's `partialText` is what had arrived of the answer by then. */
  chat(request: ChatRequest): Promise<ChatAnswer>;
  /**
   * One vector for each text, with the embedding model of the settings unless another is named. Rejects with
   * ModelError (`model_unavailable`): a text that is too long, or a busy server, is no reason to.
   */
  embed(request: EmbedRequest): Promise<Embeddings>;
  /** Which model stands behind a name now: another pull may be another model. Rejects as embed does. */
  digestOf(model: string): Promise<string>;
  /** Cheap enough for the path of each request: short, cached, and it never rejects. */
  status(): Promise<OllamaStatus>;
  /** What the chat model's prompt and answer together may take, in tokens: asked once. Never rejects. */
  window(): Promise<number>;
  /** Whether the chat model may think before it answers, as the server says. Never rejects. */
  canThink(): Promise<boolean>;
  /** For budgeting prompts: what chats have taught of the models' tokens. */
  tokens: TokenRatios;
  installed(): Promise<InstalledModel[]>;
  /** What is in the server's memory now. */
  loaded(): Promise<LoadedModel[]>;
  show(model: string): Promise<ModelDescription>;
  /** However long it takes: what was pulled stays, and a pull that was ended goes on there. */
  pull(model: string, options?: PullOptions): Promise<void>;
  /** Loads the chat model, with the window that chats have, so that nobody waits for that later. */
  warm(signal?: AbortSignal): Promise<void>;
  /** The chats under way, and those that wait for their turn. */
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

/** Opens nothing until the first call. Refuses an unreadable `url` with invalid_config. */
export function createOllamaClient(
  settings: OllamaSettings,
  observer: ModelObserver = {},
): OllamaClient {
  const { chatModel } = settings;
  const connection = openConnection(settings.url);
  const queue = createRequestQueue(settings.concurrency);
  const tokens = createTokenRatios();
  const timeoutMs = settings.statusTimeoutMs ?? 2000;
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
      // What was cut says nothing of the length of tokens.
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
        return await chat(request);
      } catch (error) {
        // What the status says was just proved wrong: the next one asks the server.
        if (error instanceof ModelError) statusReader.forget();
        throw error;
      }
    },
    embed: (request) => embedTexts(askEmbedder, embedding, request),
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

/** Counts prompts that the server has cut, and says it once. Answers whether a prompt was read whole. */
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

/** A prompt as it was sent, and what the server says that it read of it. */
interface SentPrompt {
  characters: number;
  /** 0 when the server does not say. */
  tokens: number;
  numCtx: number;
}

/** More characters than this in a token, over a whole prompt, no language and no code has. */
const mostCharactersPerToken = 6.75;
/** Fewer than this may be what a cache left to be read: a prompt that was just asked is counted as a few tokens. */
const leastTokens = 1000;

/**
 * Whether the server has cut the prompt without a word, as older ones do with its head. Only what can hardly be
 * anything else: a prompt that no tokenizer fits into the window, or a long one of which far too little was counted.
 */
export function wasCut({ characters, tokens, numCtx }: SentPrompt): boolean {
  if (tokens === 0) return false;
  if (characters / mostCharactersPerToken > numCtx) return true;
  return tokens >= leastTokens && characters / tokens > mostCharactersPerToken;
}
