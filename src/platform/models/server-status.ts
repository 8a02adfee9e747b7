import type { Ollama } from 'ollama';
import { z } from 'zod';
import { messageOf } from '../errors.js';
import { isInstalled, readInstalled, type InstalledModel } from './installed-models.js';
import { ModelError, type ModelFailure } from './model-error.js';

/** Another server on that port may also answer with JSON, so the answer is validated. */
const versionSchema = z.object({ version: z.string() });

/** The state of the server. `reason` is a sentence that names the remedy. */
export type OllamaStatus =
  | {
      reachable: true;
      version: string;
      models: string[];
      installed: InstalledModel[];
      chatModelInstalled: boolean;
    }
  | { reachable: false; reason: string; failure: ModelFailure };

export interface StatusReader {
  /** Never rejects. The result is cached for `keepMs`, and parallel callers share one request. */
  read(): Promise<OllamaStatus>;
  /** Makes the next read ask the server. */
  forget(): void;
}

/** `ask` runs a question within its time limit and rejects with ModelError. `seen` receives each list of models. */
export function createStatusReader(
  ask: <T>(question: (ollama: Ollama) => Promise<T>) => Promise<T>,
  seen: (installed: InstalledModel[]) => void,
  chatModel: string,
  keepMs: number,
): StatusReader {
  let latest: { asked: number; status: Promise<OllamaStatus> } | undefined;

  async function request(): Promise<OllamaStatus> {
    try {
      const [{ version }, installed] = await ask((ollama) =>
        Promise.all([
          ollama.version().then((body) => versionSchema.parse(body)),
          readInstalled(ollama),
        ]),
      );
      seen(installed);
      const models = installed.map(({ name }) => name);
      const chatModelInstalled = isInstalled(chatModel, models);
      return { reachable: true, version, models, installed, chatModelInstalled };
    } catch (error) {
      const failure = error instanceof ModelError ? error.failure : 'broke_off';
      return { reachable: false, reason: messageOf(error), failure };
    }
  }

  return {
    read() {
      const now = performance.now();
      if (latest === undefined || now - latest.asked >= keepMs) {
        latest = { asked: now, status: request() };
      }
      return latest.status;
    },
    forget() {
      latest = undefined;
    },
  };
}
