import { availableParallelism, totalmem } from 'node:os';
import { isInstalled } from '../platform/models/installed-models.js';
import type { OllamaClient } from '../platform/models/ollama-client.js';
import type { ModelUse } from './configured-models.js';

/** The known facts of the machine that runs Ollama. */
export interface Machine {
  /** In bytes; undefined where Ollama runs on another machine. */
  memory: number | undefined;
  cores: number | undefined;
  /** Whether Ollama uses a GPU; undefined while no model is loaded, since only /api/ps tells. */
  hasGpu: boolean | undefined;
}

export interface SuggestedModel extends RecommendedModel {
  installed: boolean;
  /** `slow`: it fits into memory, but there are too few cores for people who wait. */
  fit: 'fits' | 'slow' | 'too_large';
  /** The suggested one of its use. */
  suggested: boolean;
}

/** Errors: `model_unavailable` when no Ollama answers. */
export async function describeMachine(
  client: Pick<OllamaClient, 'base' | 'loaded'>,
): Promise<Machine> {
  const loaded = await client.loaded();
  const isHere = /^(?:localhost|127\..*|\[::1\])$/.test(new URL(client.base).hostname);
  return {
    memory: isHere ? totalmem() : undefined,
    cores: isHere ? availableParallelism() : undefined,
    hasGpu: loaded.length === 0 ? undefined : loaded.some(({ gpuBytes }) => gpuBytes > 0),
  };
}

/** The recommended models, and whether each one fits the machine. Of each use, the largest that fits is suggested. */
export function suggestModels(machine: Machine, installed: readonly string[]): SuggestedModel[] {
  const models = recommendedModels.map((model) => ({ ...model, fit: fitOf(model, machine) }));
  const first = (use: ModelUse) => {
    const ofUse = models.filter((model) => model.use === use);
    // Of an unknown machine only the usual small models are assumed to fit.
    const usual = use === 'chat' ? 'llama3.2' : 'embeddinggemma';
    if (machine.memory === undefined) return usual;
    return ofUse.findLast((model) => model.fit === 'fits')?.name;
  };
  const suggested = [first('chat'), first('embedding')];
  return models.map((model) => ({
    ...model,
    installed: isInstalled(model.name, installed),
    suggested: suggested.includes(model.name),
  }));
}

/** A machine of 8 GB reports a little less. */
const tolerance = 0.9;

function fitOf({ memoryGb, cores }: RecommendedModel, machine: Machine): SuggestedModel['fit'] {
  if (machine.memory === undefined) return 'fits';
  if (machine.memory < memoryGb * tolerance * 2 ** 30) return 'too_large';
  const isFast = machine.hasGpu === true || (cores !== null && (machine.cores ?? 0) >= cores);
  return isFast ? 'fits' : 'slow';
}

interface RecommendedModel {
  /** As Ollama's library names it. */
  name: string;
  use: ModelUse;
  /** The size of a pull in GB (10⁹ bytes), from Ollama's library. */
  sizeGb: number;
  /** The memory in GB of a machine that runs it together with the system and this product. */
  memoryGb: number;
  /** The fewest cores with which people need not wait long without a GPU; null: needs a GPU. */
  cores: number | null;
  /** As its makers say. */
  languages: string;
}

const ours = 'English, Spanish, German';
const many = `${ours} and over 100 others`;

/**
 * The models that `init`, `doctor`, `models choose` and docs/answers.md recommend, the smallest of each use first.
 * Sizes and languages are from their makers and the library. Memory and cores are estimates from the size, not
 * measurements: `models check` measures on a machine.
 */
export const recommendedModels: readonly RecommendedModel[] = [
  {
    name: 'llama3.2:1b',
    use: 'chat',
    sizeGb: 1.3,
    memoryGb: 4,
    cores: 2,
    languages: `${ours} and 5 others`,
  },
  {
    name: 'llama3.2',
    use: 'chat',
    sizeGb: 2,
    memoryGb: 8,
    cores: 4,
    languages: `${ours} and 5 others`,
  },
  { name: 'qwen3:4b', use: 'chat', sizeGb: 2.5, memoryGb: 8, cores: 8, languages: many },
  { name: 'gemma3:4b', use: 'chat', sizeGb: 3.3, memoryGb: 12, cores: 8, languages: many },
  { name: 'qwen3:8b', use: 'chat', sizeGb: 5.2, memoryGb: 16, cores: 16, languages: many },
  { name: 'gemma3:12b', use: 'chat', sizeGb: 8.1, memoryGb: 24, cores: null, languages: many },
  {
    name: 'nomic-embed-text',
    use: 'embedding',
    sizeGb: 0.3,
    memoryGb: 4,
    cores: 2,
    languages: 'English',
  },
  {
    name: 'embeddinggemma',
    use: 'embedding',
    sizeGb: 0.6,
    memoryGb: 4,
    cores: 2,
    languages: many,
  },
  { name: 'bge-m3', use: 'embedding', sizeGb: 1.2, memoryGb: 16, cores: 8, languages: many },
];
