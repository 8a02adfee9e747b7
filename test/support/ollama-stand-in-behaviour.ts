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

/** The behaviour of the stand-in. Each property can be changed while it runs. Failures apply to /api/chat by default. */
export interface StandInBehaviour {
  version: string;
  /** Installed models, with their tags. */
  models: string[];
  /** The answer; an object is sent as JSON. The default is one sentence, or a sample that fits `format`. */
  answer: (messages: StandInMessage[], chat: StandInChat) => unknown;
  /** Whether its chat models support thinking. They do not think if `think` is false. */
  canThink: boolean;
  /** The thoughts, streamed in message.thinking before the answer. */
  thinking: string;
  embed: (text: string) => number[];
  /** Digests of models that were pulled again, by their full names. */
  digests: Record<string, string>;
  /** The context of the embedding model in tokens. Longer texts are cut, or refused if `truncate` is false. */
  embedContext: number | undefined;
  /** The fault of the returned vectors. */
  embedFault: 'count' | 'infinite' | 'null' | 'zeros' | 'no list' | undefined;
  /** Texts for which the embedding model fails, like a runner that returns NaN. */
  embedFails: (text: string) => boolean;
  /** The next n embeddings are refused with 503. */
  embedBusy: number;
  /** Embeddings are answered once release() is called, or never. */
  embedStalls: boolean;
  embedDelayMs: number;
  /** The next n chats are refused with 503, as when Ollama's queue is full. */
  busy: number;
  /** Every path answers with this status and an HTML page, like a proxy without its Ollama server. */
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
  /** The largest context window of every model in tokens, shown by /api/show; undefined omits it. */
  contextLength: number | undefined;
  /** The number of models that fit into memory. One more replaces the least recently used model. */
  memoryFor: number;
  /** The share of each model in the memory of a GPU. */
  gpuShare: number;
  /** The number of the pull of the models. Another number gives other digests. */
  revision: number;
  /** The context window with which models are loaded, for any request. */
  forcedNumCtx: number | undefined;
  /** How a pull ends after its first progress: with this error line, without its end, or not until release(). */
  pullEnds: { error: string } | 'broken' | 'silent' | undefined;
  /** Bytes of each write: 1 splits every line and every multi-byte character. */
  writeBytes: number | undefined;
}

/**
 * A working server with a chat model and an embedding model. Each test gets its own, because tests change its lists
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
