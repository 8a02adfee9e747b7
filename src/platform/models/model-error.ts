import { AppError } from '../errors.js';
import type { RetryOptions } from '../retry.js';

/**
 * Why the model gave no answer, for callers that act on it: `prompt_too_long` can be split and sent again,
 * the rest is for a person, who finds the remedy in the sentence.
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

/** Any failure of the model's server, as `model_unavailable` with a sentence that names the remedy. */
export class ModelError extends AppError {
  /** No property of its own: a log copies those, and texts of answers are never logged. */
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

  /** What had arrived of the answer before it failed: '' when not one token had. */
  get partialText(): string {
    return this.#partialText;
  }

  /** The same failure, having come after `partialText` of the answer. */
  after(partialText: string): ModelError {
    return new ModelError(this.failure, this.message, this.cause, partialText);
  }
}

/** How a call is repeated that the server refused as busy. */
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

/** The sentence for a model that is not pulled, with the command that pulls it. */
export function missingModelSentence(model: string, base: string): string {
  return `The model "${model}" is not installed on the Ollama server at ${base}. Install it there with: ollama pull ${model}`;
}
