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
  keepAlive: string;
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
    ...(options.format === undefined ? {} : { format: options.format }),
    options: {
      num_ctx: model.numCtx,
      ...(options.maxTokens === undefined ? {} : { num_predict: options.maxTokens }),
      ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
    },
  });
  for await (const line of stream) yield readLine(line);
}

/** Reads only what is there: proxies and older servers leave fields out, whatever the declared types say. */
function readLine(line: Partial<ChatResponse>): ChatPart {
  // What a reasoning model thinks stands in message.thinking and is no part of its answer.
  const text = line.message?.content ?? '';
  if (line.done !== true) return { text };
  const end = {
    promptTokens: line.prompt_eval_count ?? 0,
    completionTokens: line.eval_count ?? 0,
    doneReason: line.done_reason ?? 'stop',
  };
  return { text, end };
}
