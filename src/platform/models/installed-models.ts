import type { Ollama } from 'ollama';
import { z } from 'zod';

/** An installed model, as /api/tags lists it. */
export interface InstalledModel {
  /** Includes the tag. */
  name: string;
  /** Changes when the model is pulled again: then every fact about the model may be outdated. '' if not reported. */
  digest: string;
  sizeBytes: number;
  /** Such as `3.2B` and `Q4_K_M`; '' when the server does not report them. */
  parameters: string;
  quantization: string;
}

/** A model in memory, as /api/ps lists it. */
export interface LoadedModel {
  name: string;
  digest: string;
  sizeBytes: number;
  /** Bytes of the model in GPU memory; 0 on a machine without a GPU. */
  gpuBytes: number;
  /** The window with which it was loaded; older servers do not report it. */
  contextLength: number | undefined;
}

/** The description of a model by /api/show. */
export interface ModelDescription {
  /** The model's longest window, in tokens. */
  contextLength: number | undefined;
  embeddingLength: number | undefined;
  /** Such as `completion` and `embedding`; empty when an older server does not report them. */
  capabilities: string[];
  /** The window that the Modelfile sets for callers that name none. */
  numCtx: number | undefined;
}

// Another server on that port may also answer with JSON, so the answers are validated. Only indispensable fields are
// required, because other versions of the server omit some.
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
  // Every answer of /api/show has this field, and other JSON hardly has it by chance.
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

/** Model names are `name:tag`; a missing tag means `:latest`. Ollama ignores case. */
export function isInstalled(model: string, installed: readonly string[]): boolean {
  return installed.some((name) => isSameModel(name, model));
}

export function isSameModel(one: string, other: string): boolean {
  return fullName(one) === fullName(other);
}

/** The canonical name of a model, for comparison: with its tag, in lower case. */
export function fullName(model: string): string {
  // A colon before the last slash belongs to a registry's port.
  const tagged = model.slice(model.lastIndexOf('/') + 1).includes(':');
  return (tagged ? model : `${model}:latest`).toLowerCase();
}
