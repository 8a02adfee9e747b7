import type { Ollama } from 'ollama';
import { z } from 'zod';

/** A model that was pulled, as /api/tags lists it. */
export interface InstalledModel {
  /** With its tag. */
  name: string;
  /** Another one after it was pulled again: then everything known of the model may have changed. '' if not said. */
  digest: string;
  sizeBytes: number;
  /** Such as `3.2B` and `Q4_K_M`; '' where the server does not say. */
  parameters: string;
  quantization: string;
}

/** A model in memory, as /api/ps lists it. */
export interface LoadedModel {
  name: string;
  digest: string;
  sizeBytes: number;
  /** What of it is in the memory of a GPU: 0 on a machine without one. */
  gpuBytes: number;
  /** The window that it was loaded with; older servers do not say. */
  contextLength: number | undefined;
}

/** What /api/show says of a model. */
export interface ModelDescription {
  /** The longest window that it can have, in tokens. */
  contextLength: number | undefined;
  /** The length of its vectors. */
  embeddingLength: number | undefined;
  /** Such as `completion` and `embedding`; empty from servers that do not say yet. */
  capabilities: string[];
  /** The window that its Modelfile sets, for callers who name none. */
  numCtx: number | undefined;
}

// Another server on that port may answer with JSON too: what the ollama package declares is not what came. Only
// what nothing goes without is required: servers of other versions leave things out.
const text = z.string().catch('');
const size = z.number().catch(0);
const details = z.object({ parameter_size: text, quantization_level: text }).partial();
const installedSchema = z.object({
  models: z.array(z.object({ name: z.string(), digest: text, size, details: details.catch({}) })),
});
const loadedSchema = z.object({
  models: z
    .array(
      z.object({
        name: z.string(),
        digest: text,
        size,
        size_vram: size,
        context_length: z.int().positive().optional().catch(undefined),
      }),
    )
    .nullable(),
});
const shownSchema = z.object({
  parameters: text,
  capabilities: z.array(z.string()).catch([]),
  model_info: z.record(z.string(), z.unknown()).catch({}),
  // What every answer of /api/show has, and no other JSON by chance.
  details: z.object({}),
});

export async function readInstalled(ollama: Ollama): Promise<InstalledModel[]> {
  const { models } = installedSchema.parse(await ollama.list());
  return models.map(({ name, digest, size: sizeBytes, details }) => ({
    name,
    digest,
    sizeBytes,
    parameters: details.parameter_size ?? '',
    quantization: details.quantization_level ?? '',
  }));
}

export async function readLoaded(ollama: Ollama): Promise<LoadedModel[]> {
  const { models } = loadedSchema.parse(await ollama.ps());
  return (models ?? []).map((model) => ({
    name: model.name,
    digest: model.digest,
    sizeBytes: model.size,
    gpuBytes: model.size_vram,
    contextLength: model.context_length,
  }));
}

export async function readDescription(ollama: Ollama, model: string): Promise<ModelDescription> {
  const shown = shownSchema.parse(await ollama.show({ model }));
  const number = (key: string) => wholeNumberIn(shown.model_info[key]);
  const architecture = shown.model_info['general.architecture'];
  const prefix = typeof architecture === 'string' ? architecture : '';
  return {
    contextLength: number(`${prefix}.context_length`),
    embeddingLength: number(`${prefix}.embedding_length`),
    capabilities: shown.capabilities,
    numCtx: wholeNumberIn(Number(/^num_ctx\s+(\d+)\s*$/m.exec(shown.parameters)?.[1])),
  };
}

function wholeNumberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** Model names are `name:tag`; no tag means `:latest`. Case does not matter to Ollama. */
export function isInstalled(model: string, installed: readonly string[]): boolean {
  return installed.some((name) => isSameModel(name, model));
}

export function isSameModel(one: string, other: string): boolean {
  return fullName(one) === fullName(other);
}

/** A model's one name, for comparing and remembering: with its tag, in lower case. */
export function fullName(model: string): string {
  // A colon before the last slash belongs to a registry's port.
  const tagged = model.slice(model.lastIndexOf('/') + 1).includes(':');
  return (tagged ? model : `${model}:latest`).toLowerCase();
}
