import type { App } from '../../platform/app.js';
import {
  type BackgroundWorker,
  repeatUntilStopped,
} from '../../platform/workers/repeat-until-stopped.js';
import { embedDuePassages } from './embed-due-passages.js';

/** Embeds new passages until stopped. Does nothing without an embedding model in the settings. */
export function startEmbeddingWorker(app: App): BackgroundWorker {
  const { embedding_model: model, embedding_poll_ms: pollMs } = app.config.ollama;
  if (model === '') return { stop: () => Promise.resolve() };
  const complaint = 'passages are not embedded; they are found by words alone';
  const step = (signal: AbortSignal) => embedDuePassages(app, { signal });
  return repeatUntilStopped(app, { pollMs, complaint, step });
}
