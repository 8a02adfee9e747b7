import type { ModelUse } from './configured-models.js';

export interface RecommendedModel {
  /** As Ollama's library names it. */
  name: string;
  use: ModelUse;
  /** What a pull fetches, in GB (10⁹ bytes), as Ollama's library says. */
  sizeGb: number;
  /** The memory of a machine, in GB, on which it runs beside the system and this product. */
  memoryGb: number;
  /** The cores from which it is fit for people who wait, where there is no GPU; null: only with a GPU. */
  cores: number | null;
  /** As its makers say. */
  languages: string;
}

const ours = 'English, Spanish, German';
const many = `${ours} and over 100 others`;

/**
 * The models that `init`, `doctor`, `models choose` and docs/answers.md recommend; of each use the smallest first. Sizes
 * and languages are those that the makers and the library state. Memory and cores are estimates from the size. Nothing
 * here was measured with this product: `models check` measures on the machine itself.
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
