import type { ChatResponse, Ollama } from 'ollama';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** How to answer; what is left out is the model's own default. */
export interface ChatOptions {
  /** `json`, or a JSON schema that the answer must fit. */
  format?: 'json' | Record<string, unknown>;
  /** In tokens; an answer cut there has the done reason `length`. */
  maxTokens?: number;
  temperature?: number;
}

export interface ChatModel {
  chatModel: string;
  numCtx: number;
  /** `5m`; a number is seconds, and a negative one for ever. */
  keepAlive: string | number;
  /** Only for a model that can: a server refuses it for others. */
  think?: boolean | 'low' | 'medium' | 'high';
}

/** A piece of what the server streams: `text` is '' while the model thinks and in the last one, which has `end`. */
export interface ChatPart {
  text: string;
  end?: ChatEnd;
}

export interface ChatEnd {
  /** Tokens as the server counted them; 0 when it does not say. */
  promptTokens: number;
  completionTokens: number;
  /** `stop`, or `length` when the answer was cut by maxTokens or the context. */
  doneReason: string;
  timing: ChatTiming;
}

/** What the server spent on an answer, in milliseconds; 0 where it does not say. */
export interface ChatTiming {
  /** Loading the model: seconds for a cold one. */
  loadMs: number;
  readMs: number;
  writeMs: number;
}

/**
 * One request to /api/chat, always streamed. `num_ctx` and `keep_alive` go with every call: the server's own
 * default window is small and it cuts a longer prompt without a word, and another value reloads the model.
 */
export async function* streamChat(
  ollama: Ollama,
  model: ChatModel,
  messages: ChatMessage[],
  options: ChatOptions,
): AsyncGenerator<ChatPart, void, undefined> {
  const stream = await ollama.chat({
    model: model.chatModel,
    messages: messages.map(({ role, content }) => ({ role, content })),
    stream: true,
    keep_alive: model.keepAlive,
    ...(model.think === undefined ? {} : { think: model.think }),
    ...(options.format === undefined ? {} : { format: options.format }),
    options: {
      num_ctx: model.numCtx,
      ...(options.maxTokens === undefined ? {} : { num_predict: options.maxTokens }),
      ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
    },
  });
  for await (const line of stream) yield readLine(line);
}

/** Loads a model into memory with the window that its calls will have, and answers nothing. */
export async function loadModel(ollama: Ollama, model: ChatModel): Promise<void> {
  const { chatModel, numCtx, keepAlive } = model;
  const options = { num_ctx: numCtx };
  await ollama.chat({ model: chatModel, messages: [], keep_alive: keepAlive, options });
}

/** Reads only what is there: proxies and older servers leave fields out, whatever the declared types say. */
function readLine(line: Partial<Record<keyof ChatResponse, unknown>>): ChatPart {
  const text = contentOf(line.message);
  if (line.done !== true) return { text };
  const end = {
    promptTokens: numberOr0(line.prompt_eval_count),
    completionTokens: numberOr0(line.eval_count),
    doneReason: typeof line.done_reason === 'string' ? line.done_reason : 'stop',
    timing: {
      loadMs: numberOr0(line.load_duration) / nanoseconds,
      readMs: numberOr0(line.prompt_eval_duration) / nanoseconds,
      writeMs: numberOr0(line.eval_duration) / nanoseconds,
    },
  };
  return { text, end };
}

const nanoseconds = 1_000_000;

/** What a reasoning model thinks stands in message.thinking and is no part of its answer. */
function contentOf(message: unknown): string {
  if (typeof message !== 'object' || message === null || !('content' in message)) return '';
  return typeof message.content === 'string' ? message.content : '';
}

function numberOr0(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
