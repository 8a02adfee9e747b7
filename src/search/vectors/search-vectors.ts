import type { App } from '../../platform/app.js';
import type { Language } from '../../language/language-pack.js';
import type { SearchScope } from '../passages/scope.js';
import type { Generation } from './generation.js';
import { findLiveGeneration } from './generations.repository.js';
import { nearestPassages, type NearPassage } from './nearest-passages.js';
import { findTrust } from './trust.repository.js';
import { isJudgedIn, servesIn, trustIn } from './trust.js';
import { messageOf } from '../../platform/errors.js';

export interface NearPassages {
  /** Nearest first. */
  near: NearPassage[];
  /** The weight of similarity for a passage in a language, from 0 to 1. */
  trust: (language: Language) => number;
  /** True when that weight was measured, also for the question's language; otherwise it is the default. */
  isJudged: (language: Language) => boolean;
}

const nothing: NearPassages = { near: [], trust: () => 0, isJudged: () => false };

/**
 * The visible passages (ids, ascending) nearest to a text by meaning. Empty when vectors can't be used: without an
 * embedding model or a complete generation, without a vector in time, or for a language that the model does not
 * understand. Never refuses.
 */
export async function searchVectors(
  app: Embedding & Pick<App, 'db'>,
  input: {
    text: string;
    language: Language | undefined;
    scope: SearchScope;
    /** The vectors that the scope sees. */
    visible: Uint32Array;
    limit: number;
  },
): Promise<NearPassages> {
  const { text, language, scope, visible, limit } = input;
  if (app.config.ollama.embedding_model === '' || text.trim() === '') return nothing;
  const generation = await findLiveGeneration(app);
  if (generation === undefined) return nothing;
  const trust = await findTrust(app, generation.id, scope);
  if (!servesIn(trust, language)) return nothing;
  // For a question that the model does not understand, all passages are equally similar, in any language.
  const most = language === undefined ? 1 : (trust?.byLanguage[language] ?? 1);
  const vector = await embedQuestion(app, generation, text);
  if (vector === undefined) return nothing;
  return {
    near: await nearestPassages(app, generation, vector, visible, limit),
    trust: (of) => Math.min(most, trustIn(trust, of)),
    isJudged: (of) =>
      isJudgedIn(trust, of) && (language === undefined || isJudgedIn(trust, language)),
  };
}

/** What embedding a question needs. */
export type Embedding = Pick<App, 'config' | 'questionEmbedding'> & {
  models: Pick<App['models'], 'embed'>;
  log: { warn(facts: object, text: string): void };
};

/** The state of embedding questions in this process. */
export interface EmbeddingHealth {
  /** Requests of questions that exceeded their time and still run. */
  late: number;
  /** The last problem in the log. */
  complaint: string | undefined;
}

declare module '../../platform/app.js' {
  interface App {
    questionEmbedding: EmbeddingHealth;
  }
}

/**
 * The vector of a question in a generation's space; undefined when there is none in time, for any reason: then words
 * alone count, and the log reports it once. Never rejects.
 */
export async function embedQuestion(
  app: Embedding,
  generation: Generation,
  text: string,
): Promise<Float32Array | undefined> {
  const health = app.questionEmbedding;
  // While one request waits for a model that loads or hangs, no further question waits.
  if (health.late > 0) return undefined;
  const { model } = generation;
  const limit = app.config.ollama.embedding_query_timeout_ms;
  // The request continues after its time: Ollama stops loading a model when nobody waits for it.
  const request = app.models.embed({ input: [text], kind: 'query', model });
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => {
      health.late++;
      const ended = () => {
        health.late--;
      };
      request.then(ended, ended);
      resolve('late');
    }, limit);
  });
  try {
    const answer = await Promise.race([request, tooLate]);
    if (answer === 'late') {
      throw new Error(`The model "${model}" gave no vector for a question within ${limit} ms.`);
    }
    if (answer.digest !== generation.digest || answer.dimension !== generation.dimension) {
      throw new Error(`The model "${model}" is not the one that the passages were embedded with.`);
    }
    health.complaint = undefined;
    return answer.vectors[0];
  } catch (error) {
    complain(app, health, messageOf(error));
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Logged once until it works again, because every question asks the server. */
function complain(app: Embedding, health: EmbeddingHealth, reason: string): void {
  if (health.complaint === reason) return;
  health.complaint = reason;
  app.log.warn({ reason }, 'a question was searched by words alone');
}
