import type { App } from '../../platform/app.js';
import { messageOf } from '../../platform/errors.js';
import {
  type BackgroundWorker,
  nextChance,
  runUntilStopped,
} from '../../platform/workers/run-until-stopped.js';
import { embedDuePassages } from './embed-due-passages.js';

/** Embeds new passages until stopped. Does nothing without an embedding model in the settings. */
export function startEmbeddingWorker(app: App): BackgroundWorker {
  return runUntilStopped((signal) => run(app, signal));
}

async function run(app: App, signal: AbortSignal): Promise<void> {
  const { embedding_model: model, embedding_poll_ms: pollMs } = app.config.ollama;
  if (model === '') return;
  const ended = () => signal.aborted;
  let failure: string | undefined;
  while (!ended()) {
    try {
      await embedDuePassages(app, { signal });
      if (failure !== undefined) app.log.info({ model }, 'passages are embedded again');
      failure = undefined;
    } catch (error) {
      // Logged once per reason, because an unreachable server is tried again and again.
      const reason = messageOf(error);
      if (reason !== failure && !ended()) {
        app.log.warn({ model, reason }, 'passages are not embedded; they are found by words alone');
      }
      failure = reason;
    }
    await nextChance(app.jobs, pollMs, signal);
  }
}
