import type { App } from '../../platform/app.js';
import {
  type BackgroundWorker,
  repeatUntilStopped,
} from '../../platform/workers/repeat-until-stopped.js';
import { embedDuePassages } from './embed-due-passages.js';

/** Embeds passages as they come, until stopped. Without an embedding model in the settings it does nothing. */
export function startEmbeddingWorker(app: App): BackgroundWorker {
  const { embedding_model: model, embedding_poll_ms: pollMs } = app.config.ollama;
  if (model === '') return { stop: () => Promise.resolve() };
  const complaint = 'passages are not embedded; they are found by words alone';
  const step = (signal: AbortSignal) => embedDuePassages(app, { signal });
  return repeatUntilStopped(app, { pollMs, complaint, step });
}
