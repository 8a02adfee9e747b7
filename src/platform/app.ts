import type { Clock } from './clock.js';
import type { Config } from './config/schema.js';
import type { Database } from './db/database.js';
import type { Logger } from './log.js';
import type { Tally } from './tally.js';
import type { OllamaClient } from './models/ollama-client.js';

/** What every use-case stands on. Built in main; replaced piece by piece in tests. */
export interface App {
  config: Config;
  db: Database;
  log: Logger;
  clock: Clock;
  models: OllamaClient;
  /** Woken when there may be work for the worker of this process, which else looks every poll_ms. */
  jobs: JobSignal;
  /** Aborts when the server is asked to stop: what only watches ends then, what works may finish. */
  stopping: AbortSignal;
  /** What happened in this process, counted for /metrics. */
  tallies: Tallies;
}

export interface Tallies {
  /** Answers given: by whom, and whether the knowledge held them. */
  answers: Tally<{ mode: string; found: string }>;
}

export interface JobSignal {
  wake(): void;
  /** Calls `listener` on each wake; returns how to stop listening. */
  onWake(listener: () => void): () => void;
}

export function createJobSignal(): JobSignal {
  const listeners = new Set<() => void>();
  return {
    wake: () => listeners.forEach((listener) => listener()),
    onWake(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
