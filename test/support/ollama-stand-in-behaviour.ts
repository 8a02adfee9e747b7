import { embedText, sampleOf } from './ollama-stand-in-answers.js';

export interface StandInMessage {
  role: string;
  content: string;
}

export interface StandInChat {
  model: string;
  messages: StandInMessage[];
  stream?: boolean;
  format?: 'json' | Record<string, unknown>;
  options?: { num_ctx?: number; num_predict?: number; temperature?: number };
  keep_alive?: string | number;
  think?: boolean | string;
}

/** How it behaves; each property can be changed while it runs. Failures apply to /api/chat unless said. */
export interface StandInBehaviour {
  version: string;
  /** Installed models, with their tags. */
  models: string[];
  /** An object is sent as JSON. The default answers with one sentence, or with a sample that fits `format`. */
  answer: (messages: StandInMessage[], chat: StandInChat) => unknown;
  /** Whether its chat models say that they can think: they do not then where `think` is false. */
  canThink: boolean;
  /** What it thinks, streamed in message.thinking before the answer. */
  thinking: string;
  embed: (text: string) => number[];
  /** Digests of models that were pulled again, by their full names. */
  digests: Record<string, string>;
  /** Tokens that the embedding model takes; longer texts are cut, or refused where `truncate` is false. */
  embedContext: number | undefined;
  /** What is wrong with the vectors it gives. */
  embedFault: 'count' | 'infinite' | 'null' | 'zeros' | 'no list' | undefined;
  /** Texts that the embedding model fails at, as a runner that gives NaN does. */
  embedFails: (text: string) => boolean;
  /** The next n embeddings are refused with 503. */
  embedBusy: number;
  /** Embeddings are answered once release() is called, or never. */
  embedStalls: boolean;
  embedDelayMs: number;
  /** The next n chats are refused with 503, as when Ollama's queue is full. */
  busy: number;
  /** Every path answers this status with an HTML page, as a proxy without its Ollama does. */
  proxyStatus: number | undefined;
  /** Chats are refused with this status and reason. */
  refuse: { status: number; reason: string } | undefined;
  /** After n pieces: an `error` line. */
  errorAfter: number | undefined;
  errorMessage: string;
  /** After n pieces: the answer ends without its `done` line. */
  endAfter: number | undefined;
  /** After n pieces: the socket is destroyed. */
  resetAfter: number | undefined;
  /** After n pieces: silence, until release() or until the client has gone. 0 is a cold model. */
  stallAfter: number | undefined;
  firstTokenDelayMs: number;
  /** The longest window of every model, in tokens, as /api/show says it; undefined leaves it out. */
  contextLength: number | undefined;
  /** How many models fit into memory: one more drops the one that was used longest ago. */
  memoryFor: number;
  /** Share of each model that is in the memory of a GPU. */
  gpuShare: number;
  /** The number of the pull that brought the models: another one gives other digests. */
  revision: number;
  /** The window that models are loaded with, whatever is asked for. */
  forcedNumCtx: number | undefined;
  /** How a pull ends after its first progress: with this error line, without its end, or not until release(). */
  pullEnds: { error: string } | 'broken' | 'silent' | undefined;
  /** Bytes of each write: 1 splits every line and every multi-byte character. */
  writeBytes: number | undefined;
}

/**
 * A server that works, with a chat model and an embedding model installed. Made anew for each: tests change its lists
 * and tables in place.
 */
export const defaultBehaviour = (): StandInBehaviour => ({
  version: '0.15.5',
  models: ['llama3.2:latest', 'nomic-embed-text:latest'],
  answer: (_messages, { format }) =>
    format === undefined ? 'This is the answer of the stand-in.' : sampleOf(format),
  canThink: false,
  thinking: '',
  embed: embedText,
  digests: {},
  embedContext: undefined,
  embedFault: undefined,
  embedFails: () => false,
  embedBusy: 0,
  embedStalls: false,
  embedDelayMs: 0,
  busy: 0,
  proxyStatus: undefined,
  refuse: undefined,
  errorAfter: undefined,
  errorMessage: 'an error was encountered while running the model: unexpected EOF',
  endAfter: undefined,
  resetAfter: undefined,
  stallAfter: undefined,
  firstTokenDelayMs: 0,
  contextLength: 131_072,
  memoryFor: Infinity,
  gpuShare: 1,
  revision: 0,
  forcedNumCtx: undefined,
  pullEnds: undefined,
  writeBytes: undefined,
});
