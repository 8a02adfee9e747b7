import type { Ollama } from 'ollama';
import { z } from 'zod';
import { messageOf } from '../errors.js';
import type { Connection } from './connection.js';
import { startDeadlines } from './deadlines.js';
import { oneLine } from './explain-failure.js';
import { ModelError } from './model-error.js';

/** The current step of a pull. Where known: `completed` of `total` bytes of the part with this `digest`. */
export interface PullProgress {
  status: string;
  digest?: string;
  completed?: number;
  total?: number;
}

export interface PullOptions {
  onProgress?: (progress: PullProgress) => void;
  signal?: AbortSignal;
}

const bytes = z.number().nonnegative().optional().catch(undefined);
const stepSchema = z.object({
  status: z.string(),
  digest: z.string().optional().catch(undefined),
  completed: bytes,
  total: bytes,
});

/** The longest timer (31 bits of milliseconds): 24 days, in practice no limit. */
const noLimit = 2 ** 31 - 1;

/**
 * Makes the server pull a model. The pull may take any time, but must report something every `idleMs`. An aborted pull
 * continues later where it stopped. Rejects with ModelError.
 */
export async function pullModel(
  connection: Connection,
  model: string,
  { onProgress, signal }: PullOptions,
  idleMs: number,
): Promise<void> {
  const limits = {
    firstTokenTimeoutMs: idleMs,
    idleTimeoutMs: idleMs,
    totalTimeoutMs: noLimit,
  };
  const deadlines = startDeadlines(limits, signal, () => silent(connection.base, model, idleMs));
  await connection.within(deadlines, async () => {
    deadlines.sent();
    let last = '';
    try {
      for await (const step of await steps(connection, deadlines.signal, model)) {
        deadlines.arrived();
        last = step.status;
        onProgress?.(progressOf(step));
      }
    } catch (error) {
      throw deadlines.signal.aborted ? deadlines.signal.reason : failed(connection, model, error);
    }
    if (last !== 'success') throw brokeOff(connection.base, model);
  });
}

async function steps(connection: Connection, signal: AbortSignal, model: string) {
  const ollama: Ollama = await connection.connect(signal);
  const stream = await ollama.pull({ model, stream: true });
  return (async function* () {
    for await (const line of stream) yield stepSchema.parse(line);
  })();
}

function progressOf({ status, digest, completed, total }: z.infer<typeof stepSchema>) {
  const progress: PullProgress = { status };
  if (digest !== undefined) progress.digest = digest;
  if (completed !== undefined) progress.completed = completed;
  if (total !== undefined) progress.total = total;
  return progress;
}

function failed(connection: Connection, model: string, error: unknown): unknown {
  const explained = connection.explain(error, model);
  const { base } = connection;
  const reason = messageOf(error);
  if (/file does not exist|manifest unknown|not found/i.test(reason)) {
    return new ModelError(
      'model_missing',
      `There is no model "${model}" to pull. Look the name and the tag up at https://ollama.com/library.`,
      error,
    );
  }
  if (/no such host|dial tcp|i\/o timeout|TLS handshake|lookup /i.test(reason)) {
    return new ModelError(
      'refused',
      `Ollama at ${base} can't reach its registry to pull "${model}". Give that machine access to the internet (HTTPS_PROXY for ollama serve, where there is a proxy), then run the same again.`,
      error,
    );
  }
  if (/no space left/i.test(reason)) {
    return new ModelError(
      'refused',
      `The disk of Ollama at ${base} is full: "${model}" was not pulled. Free some space there (ollama rm), or set OLLAMA_MODELS to another disk.`,
      error,
    );
  }
  if (explained.failure !== 'broke_off') return explained;
  if (/did not receive done|terminated/i.test(reason)) return brokeOff(base, model);
  const sentence = `Ollama at ${base} could not pull "${model}": ${oneLine(reason)}`;
  return new ModelError('refused', sentence, error);
}

function brokeOff(base: string, model: string): ModelError {
  return new ModelError(
    'broke_off',
    `The connection to Ollama at ${base} ended while it pulled "${model}". Run the same again: it goes on where it stopped.`,
  );
}

function silent(base: string, model: string, idleMs: number): ModelError {
  return new ModelError(
    'too_slow',
    `Ollama at ${base} said nothing for ${String(idleMs / 1000)} s while it pulled "${model}". Run the same again: it goes on where it stopped.`,
  );
}
