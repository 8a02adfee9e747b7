/** What an embedding is for: models that were trained with instructions embed the two differently. */
export type EmbeddingKind = 'query' | 'passage';

export interface EmbeddingPrefixes {
  query: string;
  passage: string;
}

const none: EmbeddingPrefixes = { query: '', passage: '' };
const represent = 'Represent this sentence for searching relevant passages: ';
const instruct =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ';

/**
 * What each family was trained to see before a text, as its model card on huggingface.co writes it. The first
 * that matches counts: the more special stand above the general. Families that are not named want nothing
 * (all-minilm, bge-m3, granite-embedding, paraphrase-multilingual, jina v2).
 */
const families: [RegExp, EmbeddingPrefixes][] = [
  // nomic-ai/nomic-embed-text-v1.5, nomic-ai/nomic-embed-text-v2-moe
  [/nomic-embed/, { query: 'search_query: ', passage: 'search_document: ' }],
  // mixedbread-ai/mxbai-embed-large-v1
  [/mxbai-embed/, { query: represent, passage: '' }],
  // Snowflake/snowflake-arctic-embed-l-v2.0: the second generation has a prefix of its own.
  [/arctic-embed-?2|arctic-embed.*v2/, { query: 'query: ', passage: '' }],
  // Snowflake/snowflake-arctic-embed-l
  [/arctic-embed/, { query: represent, passage: '' }],
  // intfloat/multilingual-e5-large-instruct, intfloat/e5-mistral-7b-instruct
  [/\be5\b.*instruct|e5-mistral/, { query: instruct, passage: '' }],
  // intfloat/e5-large-v2, intfloat/multilingual-e5-large
  [/\be5\b/, { query: 'query: ', passage: 'passage: ' }],
  // BAAI/bge-m3 takes none; BAAI/bge-large-en-v1.5 and its smaller ones do.
  [/bge-m3/, none],
  [/bge-(?:large|base|small)/, { query: represent, passage: '' }],
  // Qwen/Qwen3-Embedding-0.6B
  [/qwen3-embedding/, { query: instruct, passage: '' }],
  // google/embeddinggemma-300m
  [/embeddinggemma/, { query: 'task: search result | query: ', passage: 'title: none | text: ' }],
];

/** The prefixes of a model, by its name in Ollama; both empty for one that wants none. */
export function prefixesOf(model: string): EmbeddingPrefixes {
  const name = model.toLowerCase();
  return families.find(([family]) => family.test(name))?.[1] ?? none;
}
