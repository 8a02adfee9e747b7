import { ZodError } from 'zod';
import { messageOf } from '../errors.js';
import { missingModelSentence, ModelError } from './model-error.js';
import { HttpFailure } from './ollama-transport.js';

/** The server and model that an error names. */
export interface FailureContext {
  base: string;
  model: string;
}

/** Converts errors of undici, the ollama package or the server itself to a ModelError. */
export function explainFailure(error: unknown, context: FailureContext): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof HttpFailure) return explainStatus(error, context);
  const code = networkCode(error);
  if (code !== undefined) return explainNetwork(error, code, context);
  const { base, model } = context;
  // The answer is invalid JSON, or JSON of another shape.
  if (error instanceof SyntaxError || error instanceof ZodError) {
    return new ModelError(
      'not_ollama',
      `The server at ${base} is not an Ollama server. Check ollama.url.`,
      error,
    );
  }
  const message = messageOf(error);
  // The ollama package's message for a stream without a `done` line, and undici's for a connection cut short.
  if (/did not receive done|terminated/i.test(message)) {
    return new ModelError(
      'broke_off',
      `The connection to Ollama at ${base} ended in the middle of the answer. Ask again; if it happens again, look into the log of Ollama: it may have run out of memory.`,
      error,
    );
  }
  return new ModelError(
    'broke_off',
    `Ollama at ${base} failed while "${model}" was answering: ${oneLine(message)}`,
    error,
  );
}

function explainStatus(failure: HttpFailure, { base, model }: FailureContext): ModelError {
  const { status, reason } = failure;
  const explain = (kind: ModelError['failure'], sentence: string) =>
    new ModelError(kind, sentence, failure);
  if (status === 404 && reason !== undefined && /not found/i.test(reason)) {
    return explain('model_missing', missingModelSentence(model, base));
  }
  if (status === 503 && reason !== undefined) {
    return explain(
      'busy',
      `Ollama at ${base} is busy: its queue is full. Try again in a moment, or raise OLLAMA_MAX_QUEUE or OLLAMA_NUM_PARALLEL there.`,
    );
  }
  if (status === 401 || status === 403) {
    return explain(
      'refused',
      `${base} refused access (HTTP ${status}). If a proxy in front of Ollama asks for a password, put it into ollama.url (http://user:password@host).`,
    );
  }
  if (
    reason !== undefined &&
    /context (?:length|window|size)|prompt (?:is )?too long/i.test(reason)
  ) {
    return explain(
      'prompt_too_long',
      `The prompt is longer than the context of "${model}": ${oneLine(reason)}. Raise ollama.num_ctx or send less text.`,
    );
  }
  if (reason !== undefined) {
    return explain('refused', `Ollama at ${base} could not run "${model}": ${oneLine(reason)}`);
  }
  if ([502, 503, 504].includes(status)) {
    return explain(
      'not_running',
      `A proxy answers at ${base} (HTTP ${status}), but there is no Ollama server behind it. Start Ollama there (ollama serve) or check ollama.url.`,
    );
  }
  return explain(
    'not_ollama',
    `The server at ${base} (HTTP ${status}) is not an Ollama server. Check ollama.url.`,
  );
}

const remedies: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

function explainNetwork(error: unknown, code: string, { base }: FailureContext): ModelError {
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') {
    return new ModelError(
      'broke_off',
      `The connection to Ollama at ${base} broke off. Ask again; if it happens again, look into the log of Ollama: it may have run out of memory.`,
      error,
    );
  }
  const what = remedies[code] ?? `the connection failed (${code})`;
  return new ModelError(
    'not_running',
    `Ollama does not answer at ${base}: ${what}. Start it there (ollama serve), or set ollama.url to its address.`,
    error,
  );
}

/** The system error code (ECONNREFUSED, …) of a failed fetch. undici nests it one or two causes deep. */
function networkCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return undefined;
}

/** The server's message, shortened to one line for use in a sentence. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300);
}
