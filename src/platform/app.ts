import type { LRUCache } from 'lru-cache';
import type { ServerMetadata } from 'openid-client';
import type { Clock } from './clock.js';
import type { Config } from './config/schema.js';
import type { Database } from './db/database.js';
import type { Logger } from './log.js';
import type { LongWork } from './long-work.js';
import type { SecretBox } from './config/secret-box.js';
import type { Counter } from './counter.js';
import type { Measure } from './measure.js';
import type { OllamaClient } from './models/ollama-client.js';
import type { Tracing } from './tracing.js';

/** The services that every use-case needs. Built in main; tests replace single members. */
export interface App {
  config: Config;
  /** The file of the configuration; undefined where the defaults and the environment apply. */
  configFile: string | undefined;
  db: Database;
  log: Logger;
  clock: Clock;
  models: OllamaClient;
  /**
   * Wakes the workers when work may be waiting: those of this process, and those of others where the database passes it
   * on. Without a wake, a worker looks every poll_ms.
   */
  jobs: JobSignal;
  /** Counts attempts to sign in, in the memory of this process. */
  signIns: SignInThrottle;
  keySightings: KeySightings;
  longWork: LongWork;
  secrets: SecretBox;
  /** Cached metadata of identity providers, by issuer. Each copy expires after some minutes. */
  providerMetadata: LRUCache<string, ServerMetadata>;
  /** Aborts when the server is asked to stop. Event watchers then end; work under way may finish. */
  stopping: AbortSignal;
  /** Events of this process, counted for its metrics. */
  counters: Counters;
  tracing: Tracing;
}

/** The members of `App` that repositories need. */
export type Store = Pick<App, 'db' | 'clock'>;
/** For functions that need only the database. */
export type WithDb = Pick<App, 'db'>;

export interface Counters {
  /** Answers given, by mode and by whether the knowledge contained an answer. */
  answers: Counter<{ mode: string; found: string }>;
  /** Sentences of answers that no cited passage supports. */
  unsupportedSentences: Counter<{ language: string }>;
  /** Seconds until the first word of a streamed answer was out, by mode. */
  firstWords: Measure<{ mode: string }>;
  /** Model calls by event: answered, failed (with the kind of failure), retried, prompt cut. */
  models: Counter<{ event: string }>;
}

/** Remembers on which hosts' pages widget keys are used. */
export interface KeySightings {
  /** Stores that a page of the host has used the key, in the background and at most once an hour. Never fails. */
  note(key: string, host: string): void;
  /** Resolves when everything noted is stored. */
  settled(): Promise<void>;
}

/** Slows down password guessing. It never locks an account permanently. */
export interface SignInThrottle {
  /**
   * Counts the attempt as failed until `succeeded` is called, so that parallel attempts count too. Errors:
   * `rate_limited`, with the seconds to wait, before any password is checked.
   */
  attempt(account: string, address: string): Promise<SignInAttempt>;
  /**
   * Counts an answer or code that belongs to no sign-in by a provider. The count is separate from passwords: a forged
   * link must not keep anybody from signing in. Errors: `rate_limited`.
   */
  unknown(address: string): Promise<void>;
}

export interface SignInAttempt {
  /**
   * Counts a code as wrong until the attempt has succeeded. Somebody who knows the password may guess only a few codes
   * per account. Refuses as `attempt` does, before the code is checked.
   */
  countCode(): Promise<void>;
  /** Records that this user signed in from this address, so that later attempts from there are trusted. */
  succeeded(userId: number): Promise<void>;
}

export interface JobSignal {
  wake(): void;
  /** Calls `listener` on each wake. The returned function removes the listener. */
  onWake(listener: () => void): () => void;
}

export function createJobSignal({ notices }: Database): JobSignal {
  const listeners = new Set<() => void>();
  const wakeHere = () => listeners.forEach((listener) => listener());
  let hearing: (() => void) | undefined;
  return {
    wake() {
      wakeHere();
      notices.send('jobs');
    },
    onWake(listener) {
      // Commands, which only wake others, do not listen.
      hearing ??= notices.on('jobs', wakeHere);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
