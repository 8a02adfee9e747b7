import { traced, type Facts, type Tracing } from '../tracing.js';
import type { Embeddings } from './embed.js';
import type { ChatAnswer, ChatRequest } from './run-chat.js';

/** Runs calls of the model server in spans. They hold names and counts, and no text. */
export interface CallTracer {
  chat(
    model: string,
    request: ChatRequest,
    work: (request: ChatRequest) => Promise<ChatAnswer>,
  ): Promise<ChatAnswer>;
  embed(model: string, texts: number, work: () => Promise<Embeddings>): Promise<Embeddings>;
}

/** `base`: the server's address without credentials. Names follow OpenTelemetry's conventions for generative AI. */
export function createCallTracer(tracing: Tracing, base: string): CallTracer {
  const { hostname, port, protocol } = new URL(base);
  const server = {
    'gen_ai.provider.name': 'ollama',
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
  const optionsOf = (operation: string, model: string, facts: Facts = {}) => ({
    kind: 'client' as const,
    facts: {
      ...server,
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': model,
      ...facts,
    },
  });
  return {
    chat: (model, request, work) =>
      traced(
        { tracing },
        `chat ${model}`,
        async (span) => {
          let isFirst = true;
          const answer = await work({
            ...request,
            onText(text) {
              if (isFirst) span.event('first_word');
              isFirst = false;
              request.onText?.(text);
            },
            onWaiting(forWhat, amount) {
              // Before, the call waited for its turn in this process.
              if (forWhat === 'model' && amount === 0) span.event('sent');
              request.onWaiting?.(forWhat, amount);
            },
          });
          span.set({
            'gen_ai.usage.input_tokens': answer.promptTokens,
            'gen_ai.usage.output_tokens': answer.completionTokens,
            'gen_ai.response.finish_reason': answer.doneReason,
            'assistant.model.load_ms': Math.round(answer.timing.loadMs),
          });
          return answer;
        },
        optionsOf('chat', model),
      ),
    embed: (model, texts, work) =>
      traced(
        { tracing },
        `embeddings ${model}`,
        work,
        optionsOf('embeddings', model, { 'assistant.texts': texts }),
      ),
  };
}
