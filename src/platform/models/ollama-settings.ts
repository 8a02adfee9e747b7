import type { Config } from '../config/schema.js';
import type { EmbeddingSettings } from './embed.js';
import type { OllamaSettings } from './ollama-client.js';

/** The client's settings, from the configuration. */
export function ollamaSettings(ollama: Config['ollama']): OllamaSettings & EmbeddingSettings {
  return {
    url: ollama.url,
    chatModel: ollama.chat_model,
    numCtx: ollama.num_ctx,
    // Ollama accepts -1 and 0 only as numbers: as text they would need a unit.
    keepAlive: /^-?\d+$/.test(ollama.keep_alive) ? Number(ollama.keep_alive) : ollama.keep_alive,
    think: ollama.think,
    firstTokenTimeoutMs: ollama.first_token_timeout_ms,
    idleTimeoutMs: ollama.idle_timeout_ms,
    totalTimeoutMs: ollama.total_timeout_ms,
    concurrency: ollama.concurrency,
    embeddingModel: ollama.embedding_model,
    embeddingBatch: ollama.embedding_batch,
    embeddingTimeoutMs: ollama.embedding_timeout_ms,
    embeddingQueryPrefix: ollama.embedding_query_prefix,
    embeddingPassagePrefix: ollama.embedding_passage_prefix,
  };
}
