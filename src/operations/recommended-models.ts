import type { ModelUse } from './configured-models.js';

export interface RecommendedModel {
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
