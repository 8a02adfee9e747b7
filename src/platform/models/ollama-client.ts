import { setTimeout as wait } from 'node:timers/promises';
import type { Ollama } from 'ollama';
import { AppError } from '../errors.js';
import { streamChat, type ChatEnd, type ChatMessage, type ChatOptions } from './chat-stream.js';
import { startDeadlines, type Deadlines, type Missed } from './deadlines.js';
import {
  embedTexts,
  installedDigest,
  type Embeddings,
  type EmbeddingSettings,
  type EmbedRequest,
} from './embed.js';
import { explainFailure } from './explain-failure.js';
import { ModelError } from './model-error.js';
import { parseOllamaAddress } from './ollama-address.js';
import { createTransport } from './ollama-transport.js';
import { createRequestQueue, type QueueLoad } from './request-queue.js';
import { createStatusReader, type OllamaStatus } from './server-status.js';

export type { ChatMessage, ChatOptions } from './chat-stream.js';
export type { OllamaStatus } from './server-status.js';

export interface OllamaSettings extends Partial<EmbeddingSettings> {
  /** As in OLLAMA_HOST: `host`, `host:port`, `:port` or a URL. */
  url: string;
  chatModel: string;
  /** The model's window in tokens: one value for all calls, since each change reloads the model. */
  numCtx: number;
  /** How long the model stays loaded after a call, as Ollama writes it: `5m`, `-1`. */
  keepAlive: string;
  /** From sending the request: long, since a cold model is loaded first. */
  firstTokenTimeoutMs: number;
  idleTimeoutMs: number;
  /** The whole call, the wait for a place in the queue included. */
  totalTimeoutMs: number;
  /** Chats at a time; further ones wait here, in order. */
  concurrency: number;
  statusTimeoutMs?: number;
  /** How long a status is believed. */
  statusKeepMs?: number;
  /** The first pause after "server busy"; each further one is twice as long. */
  busyRetryMs?: number;
}

export interface ChatRequest extends ChatOptions {
  messages: ChatMessage[];
  /** Aborting it ends the request at the server too; the call then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Gets each piece of the answer as it comes. */
  onText?: (delta: string) => void;
  /** Told what a silence is spent on: a place in the queue, then the model, which may be loading first. */
  onWaiting?: (forWhat: 'queue' | 'model') => void;
}

export interface ChatAnswer extends ChatEnd {
  text: string;
}

export interface OllamaClient {
  /** Rejects with ModelError (`model_unavailable`), whose `partialText` is what had arrived by then. */
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
  /** The chats under way, and those that wait for their turn. */
  load(): QueueLoad;
  /** Ends running calls with `shutting_down`, and all connections. */
  close(): Promise<void>;
}

const BUSY_RETRIES = 4;

const noEmbeddings: EmbeddingSettings = {
  embeddingModel: '',
  embeddingBatch: 32,
  embeddingTimeoutMs: 120_000,
  embeddingQueryPrefix: null,
  embeddingPassagePrefix: null,
};

/** Opens nothing until the first call. Refuses an unreadable `url` with invalid_config. */
export function createOllamaClient(settings: OllamaSettings): OllamaClient {
  const address = parseOllamaAddress(settings.url);
  const { base } = address;
  const { chatModel } = settings;
  const transport = createTransport(address);
  const queue = createRequestQueue(settings.concurrency);
  const running = new Set<Deadlines>();
  const explain = (error: unknown) => explainFailure(error, { base, model: chatModel });
  let closed = false;

  const connect = async (signal: AbortSignal): Promise<Ollama> => {
    const ollama = await import('ollama');
    return new ollama.Ollama({ host: base, fetch: transport.fetchUntil(signal) });
  };

  const slow = (missed: Missed) => new ModelError('too_slow', slowSentence(missed, settings));

  /** Runs `work` within deadlines: whatever it fails with after a missed one, the miss is the failure. */
  async function within<T>(deadlines: Deadlines, work: () => Promise<T>): Promise<T> {
    if (closed) deadlines.abort(shuttingDown());
    running.add(deadlines);
    try {
      deadlines.signal.throwIfAborted();
      return await work();
    } finally {
      deadlines.stop();
      running.delete(deadlines);
      // Whatever became of the call, its connection ends with it.
      deadlines.abort(undefined);
    }
  }

  async function chatOnce(request: ChatRequest, deadlines: Deadlines): Promise<ChatAnswer> {
    const { signal } = deadlines;
    const ollama = await connect(signal);
    const parts = streamChat(ollama, settings, request.messages, request);
    let text = '';
    deadlines.sent();
    request.onWaiting?.('model');
    for (;;) {
      const step = await parts.next().catch((error: unknown) => {
        const failure: unknown = signal.aborted ? signal.reason : explain(error);
        throw failure instanceof ModelError ? failure.after(text) : failure;
      });
      // The ollama package throws when a stream has no end; this is for the type.
      if (step.done) throw explain(new Error('Did not receive done')).after(text);
      deadlines.arrived();
      text += step.value.text;
      if (step.value.text !== '') request.onText?.(step.value.text);
      if (step.value.end) return { text, ...step.value.end };
    }
  }

  async function chatWithRetries(request: ChatRequest, deadlines: Deadlines): Promise<ChatAnswer> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await chatOnce(request, deadlines);
      } catch (error) {
        const busy = error instanceof ModelError && error.failure === 'busy';
        if (!busy || tries === BUSY_RETRIES) throw error;
        await pause((settings.busyRetryMs ?? 250) * 2 ** tries, deadlines);
      }
    }
  }

  /** One request that has to be answered as a whole within `timeout`. */
  function askWithin<T>(
    timeout: number,
    caller: AbortSignal | undefined,
    question: (ollama: Ollama) => Promise<T>,
  ): Promise<T> {
    const limits = {
      firstTokenTimeoutMs: timeout,
      idleTimeoutMs: timeout,
      totalTimeoutMs: timeout,
    };
    const failure = () => new ModelError('too_slow', silentSentence(base, timeout));
    const deadlines = startDeadlines(limits, caller, failure);
    return within(deadlines, async () => {
      try {
        return await question(await connect(deadlines.signal));
      } catch (error) {
        throw deadlines.signal.aborted ? deadlines.signal.reason : error;
      }
    });
  }

  const embedding = { ...noEmbeddings, ...settings };
  const askEmbedder = async <T>(
    model: string,
    caller: AbortSignal | undefined,
    question: (ollama: Ollama) => Promise<T>,
  ): Promise<T> => {
    try {
      return await askWithin(embedding.embeddingTimeoutMs, caller, question);
    } catch (error) {
      // Who cancelled, or closed the client, gets their own reason.
      if (caller?.aborted || closed) throw error;
      throw explainFailure(error, { base, model });
    }
  };

  const statusReader = createStatusReader(
    (question) => askWithin(settings.statusTimeoutMs ?? 2000, undefined, question),
    explain,
    chatModel,
    settings.statusKeepMs ?? 5000,
  );

  return {
    async chat(request) {
      const deadlines = startDeadlines(settings, request.signal, slow);
      try {
        return await within(deadlines, async () => {
          if (queue.full()) request.onWaiting?.('queue');
          const leave = await queue.enter(deadlines.signal);
          try {
            return await chatWithRetries(request, deadlines);
          } finally {
            leave();
          }
        });
      } catch (error) {
        // What the status says was just proved wrong: the next one asks the server.
        if (error instanceof ModelError) statusReader.forget();
        throw error;
      }
    },
    embed: (request) => embedTexts(askEmbedder, embedding, request),
    digestOf: (model) => askEmbedder(model, undefined, (ollama) => installedDigest(ollama, model)),
    status: () => statusReader.read(),
    load: () => queue.load(),
    async close() {
      closed = true;
      for (const deadlines of running) deadlines.abort(shuttingDown());
      await transport.close();
    },
  };
}

/** Waits with a little chance in it, so that those who were refused together do not come back together. */
async function pause(ms: number, deadlines: Deadlines): Promise<void> {
  deadlines.rest();
  const { signal } = deadlines;
  await wait(ms * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}

function shuttingDown(): AppError {
  return new AppError('shutting_down', 'The service is shutting down: ask again in a moment.');
}

function slowSentence(missed: Missed, settings: OllamaSettings): string {
  const { chatModel } = settings;
  const seconds = (ms: number) => `${String(ms / 1000)} s`;
  switch (missed) {
    case 'first token':
      return `The model "${chatModel}" began no answer within ${seconds(settings.firstTokenTimeoutMs)}: it may still be loading. Ask again, raise ollama.first_token_timeout_ms, or use a smaller model.`;
    case 'next token':
      return `The model "${chatModel}" fell silent for ${seconds(settings.idleTimeoutMs)} in the middle of its answer. Ask again, or raise ollama.idle_timeout_ms.`;
    case 'end':
      return `The model "${chatModel}" did not finish within ${seconds(settings.totalTimeoutMs)}, the wait for its turn included. Raise ollama.total_timeout_ms, or use a smaller model.`;
  }
}

function silentSentence(base: string, timeoutMs: number): string {
  return `Ollama at ${base} did not answer within ${timeoutMs / 1000} s. Check that it runs there (ollama serve) and that no firewall stands between, or set ollama.url.`;
}
