import type { ChatResponse, Ollama } from 'ollama';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** Options of a chat. A missing option means the model's own default. */
export interface ChatOptions {
  /** `json`, or a JSON schema that the answer must match. */
  format?: 'json' | Record<string, unknown>;
  /** In tokens. An answer cut at this length has the done reason `length`. */
  maxTokens?: number;
  temperature?: number;
}

export interface ChatModel {
  chatModel: string;
  numCtx: number;
  /** `5m`, or a number of seconds; a negative number means for ever. */
  keepAlive: string | number;
  /** Only for a model that can think: the server refuses it for others. */
  think?: boolean | 'low' | 'medium' | 'high';
}

/** A piece of the server's stream. `text` is '' while the model thinks and in the last piece, which has `end`. */
export interface ChatPart {
  text: string;
  end?: ChatEnd;
}

export interface ChatEnd {
  /** Tokens as the server counted them; 0 when the server does not report them. */
  promptTokens: number;
  completionTokens: number;
  /** `stop`, or `length` when maxTokens or the context cut the answer. */
  doneReason: string;
  timing: ChatTiming;
}

/** The server's time for an answer, in milliseconds; 0 when the server does not report it. */
export interface ChatTiming {
  /** Time to load the model: seconds for a cold one. */
  loadMs: number;
  readMs: number;
  writeMs: number;
}

/**
 * Sends one request to /api/chat, always streamed. Every call sends `num_ctx` and `keep_alive`: the server's default
 * window is small, it cuts longer prompts silently, and a different value reloads the model.
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

/** Loads a model into memory with the window of its future calls. No text is generated. */
export async function loadModel(ollama: Ollama, model: ChatModel): Promise<void> {
  const { chatModel, numCtx, keepAlive } = model;
  const options = { num_ctx: numCtx };
  await ollama.chat({ model: chatModel, messages: [], keep_alive: keepAlive, options });
}

/** Reads only the fields that are there: proxies and older servers omit fields, whatever the types declare. */
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

/** A reasoning model's thoughts are in message.thinking and are no part of its answer. */
function contentOf(message: unknown): string {
  if (typeof message !== 'object' || message === null || !('content' in message)) return '';
  return typeof message.content === 'string' ? message.content : '';
}

function numberOr0(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
