import type { Ollama } from 'ollama';
import { shuttingDown } from '../errors.js';
import { startDeadlines, type Deadlines } from './deadlines.js';
import { explainFailure } from './explain-failure.js';
import { ModelError } from './model-error.js';
import { parseOllamaAddress } from './ollama-address.js';
import { createTransport } from './ollama-transport.js';

/** The way to one Ollama server: every call runs within limits, and ends when the service stops. */
export interface Connection {
  /** Where the server is, without credentials. */
  base: string;
  /** The ollama package, with requests that end when `signal` aborts. */
  connect(signal: AbortSignal): Promise<Ollama>;
  /** Runs `work` within deadlines that were started for it, and ends them, and what it left open, with it. */
  within<T>(deadlines: Deadlines, work: () => Promise<T>): Promise<T>;
  /** A short question about a model that is answered in one piece. Rejects with ModelError. */
  ask<T>(question: Question, work: (ollama: Ollama) => Promise<T>): Promise<T>;
  /** What a failed call means, as a ModelError. */
  explain(error: unknown, model: string): ModelError;
  /** Ends running calls with `shutting_down`, and all connections. */
  close(): Promise<void>;
}

export interface Question {
  /** The model that a failure is about. */
  model: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** What to say when the time is over. */
  tooSlow?: string;
}

/** Opens nothing until the first call. Refuses an unreadable `url` with invalid_config. */
export function openConnection(url: string): Connection {
  const address = parseOllamaAddress(url);
  const { base } = address;
  const transport = createTransport(address);
  const running = new Set<Deadlines>();
  let closed = false;

  const explain = (error: unknown, model: string) => explainFailure(error, { base, model });

  const connect = async (signal: AbortSignal): Promise<Ollama> => {
    const ollama = await import('ollama');
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
      // Whatever became of the call, its connection ends with it.
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
      const deadlines = startDeadlines(limits, signal, failure);
      return within(deadlines, async () => {
        try {
          return await work(await connect(deadlines.signal));
        } catch (error) {
          // After a missed deadline that is the failure, whatever else it led to.
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
  return `Ollama at ${base} did not answer within ${timeoutMs / 1000} s. Check that it runs there (ollama serve) and that no firewall stands between, or set ollama.url.`;
}
