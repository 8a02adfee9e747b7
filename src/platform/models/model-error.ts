import { AppError } from '../errors.js';
import type { RetryOptions } from '../retry.js';

/**
 * Why the model gave no answer, for callers that react to it. A prompt of `prompt_too_long` can be split and sent
 * again. The other failures need a person; the message names the remedy.
 */
export type ModelFailure =
  | 'not_running'
  | 'not_ollama'
  | 'model_missing'
  | 'busy'
  | 'too_slow'
  | 'prompt_too_long'
  | 'broke_off'
  | 'refused';

/** A failure of the model server, as `model_unavailable` with a message that names the remedy. */
export class ModelError extends AppError {
  /** Private, because logs copy public properties, and answers must never be logged. */
  readonly #partialText: string;

  constructor(
    readonly failure: ModelFailure,
    message: string,
    cause?: unknown,
    partialText = '',
  ) {
    super('model_unavailable', message, { cause });
    this.name = 'ModelError';
    this.#partialText = partialText;
  }

  /** The part of the answer that arrived before the failure; '' when no token arrived. */
  get partialText(): string {
    return this.#partialText;
  }

  /** The same failure, after `partialText` of the answer has arrived. */
  after(partialText: string): ModelError {
    return new ModelError(this.failure, this.message, this.cause, partialText);
  }
}

/** Retry options for calls that the server refused as busy. */
export function busyRetries({
  busyRetryMs = 250,
}: {
  busyRetryMs?: number | undefined;
}): RetryOptions {
  const isBusy = (error: unknown) => error instanceof ModelError && error.failure === 'busy';
  return {
    attempts: 5,
    firstMs: busyRetryMs,
    retryAfterMs: (error) => (isBusy(error) ? 0 : undefined),
  };
}

/** The message for a missing model, with the command that pulls it. */
export function missingModelSentence(model: string, base: string): string {
  return `The model "${model}" is not installed on the Ollama server at ${base}. Install it there with: ollama pull ${model}`;
}
