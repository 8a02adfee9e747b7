import type { Ollama } from 'ollama';
import { shuttingDown } from '../errors.js';
import { noTracing, type Tracing } from '../tracing.js';
import { startDeadlines, type Deadlines } from './deadlines.js';
import { explainFailure } from './explain-failure.js';
import { ModelError } from './model-error.js';
import { parseOllamaAddress } from './ollama-address.js';
import { createTransport } from './ollama-transport.js';

/** The connection to one Ollama server. Every call has deadlines and ends when the service stops. */
export interface Connection {
  /** The server's address without credentials. */
  base: string;
  /** The ollama package; its requests end when `signal` aborts. */
  connect(signal: AbortSignal): Promise<Ollama>;
  /** Runs `work` within the given deadlines. Afterwards the deadlines stop, and requests that are still open end. */
  within<T>(deadlines: Deadlines, work: () => Promise<T>): Promise<T>;
  /** Asks a short question about a model, with the answer in one piece. Rejects with ModelError. */
  ask<T>(question: Question, work: (ollama: Ollama) => Promise<T>): Promise<T>;
  /** Converts the error of a failed call to a ModelError. */
  explain(error: unknown, model: string): ModelError;
  /** Ends running calls with `shutting_down`, and all connections. */
  close(): Promise<void>;
}

export interface Question {
  /** The model that the error names. */
  model: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** The message when the time limit is exceeded. */
  tooSlow?: string;
}

/** Opens nothing until the first call. Refuses an invalid `url` with invalid_config. */
export function openConnection(url: string, tracing: Tracing = noTracing): Connection {
  const address = parseOllamaAddress(url);
  const { base } = address;
  const transport = createTransport(address, () => tracing.headers());
  const running = new Set<Deadlines>();
  let closed = false;

  const explain = (error: unknown, model: string) => explainFailure(error, { base, model });

  const connect = async (signal: AbortSignal): Promise<Ollama> => {
    const [ollama] = await Promise.all([import('ollama'), transport.load()]);
    return new ollama.Ollama({ host: base, fetch: transport.fetchUntil(signal) });
  };

  async function within<T>(deadlines: Deadlines, work: () => Promise<T>): Promise<T> {
    if (closed) deadlines.abort(shuttingDown());
    running.add(deadlines);
    try {
      deadlines.signal.throwIfAborted();
      return await work();
    } finally {
      deadlines.stop();
      running.delete(deadlines);
      // Whether the call succeeded or failed, its request must end.
      deadlines.abort(undefined);
    }
  }

  return {
    base,
    connect,
    within,
    explain,
    ask({ model, timeoutMs, signal, tooSlow }, work) {
      const limits = {
        firstTokenTimeoutMs: timeoutMs,
        idleTimeoutMs: timeoutMs,
        totalTimeoutMs: timeoutMs,
      };
      const failure = () => new ModelError('too_slow', tooSlow ?? silentSentence(base, timeoutMs));
      const deadlines = startDeadlines(limits, signal, failure, true);
      return within(deadlines, async () => {
        try {
          const ollama = await connect(deadlines.signal);
          // A busy machine may need seconds to load the packages, which is not the server's time.
          deadlines.sent();
          return await work(ollama);
        } catch (error) {
          // After a missed deadline, the deadline is the cause of all later errors.
          throw deadlines.signal.aborted ? deadlines.signal.reason : explain(error, model);
        }
      });
    },
    async close() {
      closed = true;
      for (const deadlines of running) deadlines.abort(shuttingDown());
      await transport.close();
    },
  };
}

function silentSentence(base: string, timeoutMs: number): string {
  return `Ollama at ${base} did not answer within ${timeoutMs / 1000} s. Check that it runs there (ollama serve) and that no firewall blocks the connection, or set ollama.url.`;
}
