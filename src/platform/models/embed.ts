import type { Ollama } from 'ollama';
import { retry } from '../retry.js';
import { isInstalled } from './installed-models.js';
import { busyRetries, ModelError } from './model-error.js';
import { HttpFailure } from './ollama-transport.js';

export interface EmbeddingSettings {
  /** '' means no embedding model. */
  embeddingModel: string;
  /** Texts per request. */
  embeddingBatch: number;
  /** The time limit of one request, in milliseconds. */
  embeddingTimeoutMs: number;
  /** Replaces the query prefix of the model's family; null keeps it. Applies only to the configured embedding model. */
  embeddingQueryPrefix: string | null;
  embeddingPassagePrefix: string | null;
}

export interface EmbedRequest {
  input: string[];
  kind: EmbeddingKind;
  /** A model to use in place of the configured one. */
  model?: string;
  /** A prefix to use in place of the configured one or the model family's. */
  prefix?: string;
  signal?: AbortSignal | undefined;
}

export interface Embeddings {
  /** One vector per input, in order, of length 1: the dot product of two vectors is their cosine. */
  vectors: Float32Array[];
  model: string;
  /** The digest of the model as now installed; '' when the server does not report it. */
  digest: string;
  dimension: number;
}

/** Runs one request with the time limit of embeddings. Converts its errors to ModelErrors that name the model. */
export type AskOllama = <T>(
  model: string,
  signal: AbortSignal | undefined,
  question: (ollama: Ollama) => Promise<T>,
) => Promise<T>;

/** Below this many characters, a text is not split further: Ollama truncates it. */
const shortestPart = 64;

/**
 * Embeds texts in batches. A text that is too long for the model is embedded in parts, and its vector is their mean;
 * other texts are not affected. Rejects with ModelError (`model_unavailable`), also when the server does not return one
 * finite vector per text, or the model was replaced meanwhile: vectors of two models must never be mixed.
 */
export async function embedTexts(
  ask: AskOllama,
  settings: EmbeddingSettings & { busyRetryMs?: number | undefined },
  request: EmbedRequest,
): Promise<Embeddings> {
  const { kind, signal } = request;
  const model = request.model ?? settings.embeddingModel;
  if (model === '') {
    throw new ModelError(
      'model_missing',
      'No embedding model is set. Set ollama.embedding_model, for example to nomic-embed-text.',
    );
  }
  const prefix = request.prefix ?? prefixFor(settings, model, kind);
  const texts = request.input.map((text) => prefix + text);
  const digestNow = () => ask(model, signal, (ollama) => installedDigest(ollama, model));
  // For a query, the digest is requested in parallel, because a person waits.
  const before = digestNow();
  const embedded = (async () => {
    if (kind === 'passage') await before;
    const batches: Float32Array[][] = [];
    for (let start = 0; start < texts.length; start += settings.embeddingBatch) {
      const batch = texts.slice(start, start + settings.embeddingBatch);
      batches.push(await embedBatch(ask, settings, model, batch, signal));
    }
    return batches.flat();
  })();
  const [digest, vectors] = await Promise.all([before, embedded]);
  if (kind === 'passage' && digest !== (await digestNow())) throw replaced(model);
  const dimension = vectors[0]?.length ?? 0;
  if (vectors.some((vector) => vector.length !== dimension)) throw wrongAnswer(model);
  return { vectors, model, digest, dimension };
}

/** The prefix of each text: the configured one, else the one of the model's family. */
export function prefixFor(
  settings: Pick<
    EmbeddingSettings,
    'embeddingModel' | 'embeddingQueryPrefix' | 'embeddingPassagePrefix'
  >,
  model: string,
  kind: EmbeddingKind,
): string {
  const { embeddingModel, embeddingQueryPrefix, embeddingPassagePrefix } = settings;
  const set = kind === 'query' ? embeddingQueryPrefix : embeddingPassagePrefix;
  return (model === embeddingModel ? set : null) ?? prefixesOf(model)[kind];
}

/** '' when the server does not report a digest. Refuses a model that the server does not list. */
export async function installedDigest(ollama: Ollama, model: string): Promise<string> {
  const { models } = await ollama.list();
  const listed = models.find(({ name }) => isInstalled(model, [name]));
  if (listed === undefined) {
    // The error that the server itself would return for a call of the model.
    throw new HttpFailure(404, `model '${model}' not found`);
  }
  // A proxy or another server may omit it, whatever the type declares.
  const { digest } = listed as { digest?: unknown };
  return typeof digest === 'string' ? digest : '';
}

async function embedBatch(
  ask: AskOllama,
  settings: { busyRetryMs?: number | undefined },
  model: string,
  texts: string[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  // A blank text has no direction; some models return zeros for it.
  const input = texts.map((text) => (text.trim() === '' ? '-' : text));
  // Some servers truncate silently. With truncate: false they report which text is too long.
  const truncate = input.length === 1 && (input[0]?.length ?? 0) <= shortestPart;
  const request = { model, input, truncate, ...keepAliveOf(settings) };
  try {
    const answer = await retry(() => ask(model, signal, (ollama) => ollama.embed(request)), {
      ...busyRetries(settings),
      signal,
    });
    return readVectors(model, answer, input.length);
  } catch (error) {
    const isTooLong = error instanceof ModelError && error.failure === 'prompt_too_long';
    if (!isTooLong || truncate) throw error;
    return embedApart(ask, settings, model, input, signal);
  }
}

function keepAliveOf(settings: object): { keep_alive?: string | number } {
  if (!('keepAlive' in settings)) return {};
  const { keepAlive } = settings;
  const isGiven = typeof keepAlive === 'string' || typeof keepAlive === 'number';
  return isGiven ? { keep_alive: keepAlive } : {};
}

/** Halves the batch until a text that is too long is alone, and then halves that text. */
async function embedApart(
  ask: AskOllama,
  settings: { busyRetryMs?: number | undefined },
  model: string,
  texts: string[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const [only = ''] = texts;
  const halves =
    texts.length > 1
      ? [texts.slice(0, texts.length >> 1), texts.slice(texts.length >> 1)]
      : halvesOf(only).map((half) => [half]);
  const parts: Float32Array[] = [];
  for (const half of halves) parts.push(...(await embedBatch(ask, settings, model, half, signal)));
  return texts.length > 1 ? parts : [meanOf(model, parts)];
}

/** Splits a text in two, between words if it has any. */
function halvesOf(text: string): [string, string] {
  const blank = text.lastIndexOf(' ', text.length >> 1);
  const middle = blank > text.length / 4 ? blank : text.length >> 1;
  return [text.slice(0, middle), text.slice(middle)];
}

function meanOf(model: string, parts: Float32Array[]): Float32Array {
  const sum = new Float32Array(parts[0]?.length ?? 0);
  for (const part of parts) {
    if (part.length !== sum.length) throw wrongAnswer(model);
    part.forEach((value, index) => (sum[index] = (sum[index] ?? 0) + value));
  }
  return normalised(sum) ?? parts[0] ?? sum;
}

function readVectors(model: string, answer: unknown, count: number): Float32Array[] {
  const embeddings = (answer as { embeddings?: unknown }).embeddings;
  if (!Array.isArray(embeddings) || embeddings.length !== count) throw wrongAnswer(model);
  return embeddings.map((values: unknown) => {
    const isVector = Array.isArray(values) && values.length > 0;
    if (!isVector || !values.every((value) => Number.isFinite(value))) throw wrongAnswer(model);
    const vector = normalised(Float32Array.from(values as number[]));
    if (vector === undefined) throw wrongAnswer(model);
    return vector;
  });
}

/** Normalises in place; undefined for a zero vector. */
function normalised(vector: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (length === 0 || !Number.isFinite(length)) return undefined;
  return vector.map((value) => value / length);
}

function wrongAnswer(model: string): ModelError {
  return new ModelError(
    'refused',
    `The model "${model}" gave no usable vectors. Check that it is an embedding model (ollama show ${model}), or set another ollama.embedding_model.`,
  );
}

function replaced(model: string): ModelError {
  return new ModelError(
    'broke_off',
    `The model "${model}" was replaced while it was working. Its result is not used, and it is asked again.`,
  );
}

/** The purpose of an embedding. Models trained with instructions embed queries and passages differently. */
type EmbeddingKind = 'query' | 'passage';

interface EmbeddingPrefixes {
  query: string;
  passage: string;
}

const none: EmbeddingPrefixes = { query: '', passage: '' };
const represent = 'Represent this sentence for searching relevant passages: ';
const instruct =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ';

/**
 * The prefix that each model family was trained with, from its model card on huggingface.co. The first match counts, so
 * special patterns stand before general ones. Families that are not listed need no prefix (all-minilm, bge-m3,
 * granite-embedding, paraphrase-multilingual, jina v2).
 */
const families: [RegExp, EmbeddingPrefixes][] = [
  // nomic-ai/nomic-embed-text-v1.5, nomic-ai/nomic-embed-text-v2-moe
  [/nomic-embed/, { query: 'search_query: ', passage: 'search_document: ' }],
  // mixedbread-ai/mxbai-embed-large-v1
  [/mxbai-embed/, { query: represent, passage: '' }],
  // Snowflake/snowflake-arctic-embed-l-v2.0: the second generation has its own prefix.
  [/arctic-embed-?2|arctic-embed.*v2/, { query: 'query: ', passage: '' }],
  // Snowflake/snowflake-arctic-embed-l
  [/arctic-embed/, { query: represent, passage: '' }],
  // intfloat/multilingual-e5-large-instruct, intfloat/e5-mistral-7b-instruct
  [/\be5\b.*instruct|e5-mistral/, { query: instruct, passage: '' }],
  // intfloat/e5-large-v2, intfloat/multilingual-e5-large
  [/\be5\b/, { query: 'query: ', passage: 'passage: ' }],
  // BAAI/bge-m3 needs no prefix; BAAI/bge-large-en-v1.5 and its smaller variants do.
  [/bge-m3/, none],
  [/bge-(?:large|base|small)/, { query: represent, passage: '' }],
  // Qwen/Qwen3-Embedding-0.6B
  [/qwen3-embedding/, { query: instruct, passage: '' }],
  // google/embeddinggemma-300m
  [/embeddinggemma/, { query: 'task: search result | query: ', passage: 'title: none | text: ' }],
];

/** The prefixes of a model, by its name in Ollama; both are empty when the model needs none. */
export function prefixesOf(model: string): EmbeddingPrefixes {
  const name = model.toLowerCase();
  return families.find(([family]) => family.test(name))?.[1] ?? none;
}
