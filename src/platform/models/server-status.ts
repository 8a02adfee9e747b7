import type { Ollama } from 'ollama';
import { z } from 'zod';
import type { ModelError } from './model-error.js';

/** Another server on that port may answer with JSON too: what the ollama package declares is not what came. */
const versionSchema = z.object({ version: z.string() });
const listSchema = z.object({ models: z.array(z.object({ name: z.string() })) });

/** What the server says of itself; `reason` is a sentence that says what to do. */
export type OllamaStatus =
  | { reachable: true; version: string; models: string[]; chatModelInstalled: boolean }
  | { reachable: false; reason: string };

export interface StatusReader {
  /** Never rejects. An answer is kept for `keepMs`, and those who ask at once share one request. */
  read(): Promise<OllamaStatus>;
  /** The next read asks the server. */
  forget(): void;
}

/** `ask` gives a client whose requests end in time; `explain` turns its failures into sentences. */
export function createStatusReader(
  ask: <T>(question: (ollama: Ollama) => Promise<T>) => Promise<T>,
  explain: (error: unknown) => ModelError,
  chatModel: string,
  keepMs: number,
): StatusReader {
  let latest: { asked: number; status: Promise<OllamaStatus> } | undefined;

  async function request(): Promise<OllamaStatus> {
    try {
      return await ask(async (ollama) => {
        const [{ version }, { models }] = await Promise.all([
          ollama.version().then((body) => versionSchema.parse(body)),
          ollama.list().then((body) => listSchema.parse(body)),
        ]);
        const names = models.map((model) => model.name);
        const chatModelInstalled = isInstalled(chatModel, names);
        return { reachable: true, version, models: names, chatModelInstalled };
      });
    } catch (error) {
      return { reachable: false, reason: explain(error).message };
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

/** Model names are `name:tag`; no tag means `:latest`. Case does not matter to Ollama. */
export function isInstalled(model: string, installed: string[]): boolean {
  return installed.some((name) => fullName(name) === fullName(model));
}

function fullName(model: string): string {
  // A colon before the last slash belongs to a registry's port.
  const tagged = model.slice(model.lastIndexOf('/') + 1).includes(':');
  return (tagged ? model : `${model}:latest`).toLowerCase();
}
