import type { LRUCache } from 'lru-cache';
import type { ServerMetadata } from 'openid-client';
import type { Clock } from './clock.js';
import type { Config } from './config/schema.js';
import type { Database } from './db/database.js';
import type { Logger } from './log.js';
import type { SecretBox } from './config/secret-box.js';
import type { Counter } from './counter.js';
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
  /** Counts the attempts to sign in, in the memory of this process. */
  signIns: SignInThrottle;
  /** Encrypts the secrets that the database holds. */
  secrets: SecretBox;
  /** What identity providers say of themselves, by issuer, for some minutes. */
  providerMetadata: LRUCache<string, ServerMetadata>;
  /** Aborts when the server is asked to stop: what only watches ends then, what works may finish. */
  stopping: AbortSignal;
  /** What happened in this process, counted for /metrics. */
  counters: Counters;
}

export interface Counters {
  /** Answers given: by whom, and whether the knowledge held them. */
  answers: Counter<{ mode: string; found: string }>;
  /** Sentences of answers that nothing they cite bears out. */
  unsupportedSentences: Counter<{ language: string }>;
  /** What happened to calls of the model: answered, how they failed, tried again, prompts that were cut. */
  models: Counter<{ event: string }>;
}

/** Slows down the guessing of passwords, and locks nobody out for good. */
export interface SignInThrottle {
  /**
   * Counts an attempt as failed until it is said to have succeeded, so that many at once are counted too.
   * Refuses with `rate_limited` and the seconds to wait, before any password is looked at.
   */
  attempt(account: string, address: string): Promise<SignInAttempt>;
  /**
   * Counts an answer or a code that belongs to no sign-in by a provider, apart from passwords: links that others make
   * must keep nobody from signing in. Refuses with `rate_limited`.
   */
  unknown(address: string): void;
}

export interface SignInAttempt {
  /**
   * Counts a code as wrong until the attempt has succeeded, for the account: who has the password is to guess few.
   * Refuses as `attempt` does, before the code is looked at.
   */
  countCode(): void;
  /** It was this user: the place that it came from is theirs. */
  succeeded(userId: number): Promise<void>;
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
