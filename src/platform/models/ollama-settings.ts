import type { Config } from '../config/schema.js';
import { camelKeys } from '../wire-names.js';
import type { EmbeddingSettings } from './embed.js';
import type { OllamaSettings } from './ollama-client.js';

/** The client's settings, from the configuration. */
export function ollamaSettings(ollama: Config['ollama']): OllamaSettings & EmbeddingSettings {
  const { keep_alive: given } = ollama;
  // Ollama accepts -1 and 0 only as numbers: as text they would need a unit.
  return { ...camelKeys(ollama), keepAlive: /^-?\d+$/.test(given) ? Number(given) : given };
}
