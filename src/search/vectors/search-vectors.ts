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
  /** What the nearness of a passage in a language counts, from 0 to 1. */
  trust: (language: Language) => number;
  /** Whether that was measured, and for the question's language too: else it is what nothing is known of. */
  isJudged: (language: Language) => boolean;
}

const nothing: NearPassages = { near: [], trust: () => 0, isJudged: () => false };

/**
 * Those of the visible passages (ascending numbers) that are nearest to a text by meaning. None where vectors can't
 * serve: no embedding model is set, none of its generations is whole yet, it gives no vector in time, or it does not
 * understand the language of the text. Never refuses.
 */
export async function searchVectors(
  app: Pick<App, 'db' | 'models' | 'config' | 'log' | 'questionEmbedding'>,
  input: {
    text: string;
    language: Language | undefined;
    scope: SearchScope;
    /** What the scope sees. */
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
  // A model that does not understand the question is near to anything, in whatever language.
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

type Asker = Pick<App, 'models' | 'config' | 'log' | 'questionEmbedding'>;

/** How the embedding of questions does, in this process. */
export interface EmbeddingHealth {
  /** Questions' requests that outlived their time and still run. */
  late: number;
  /** What was last complained of in the log. */
  complaint: string | undefined;
}

declare module '../../platform/app.js' {
  interface App {
    questionEmbedding: EmbeddingHealth;
  }
}

/**
 * The vector of a question in a generation's space; undefined when there is none in time, for whatever reason: words
 * alone serve then, and the log says so once. Never rejects.
 */
export async function embedQuestion(
  app: Asker,
  generation: Generation,
  text: string,
): Promise<Float32Array | undefined> {
  const health = app.questionEmbedding;
  // While one waits for a model that loads, or hangs, no further question waits for it in vain.
  if (health.late > 0) return undefined;
  const { model } = generation;
  const limit = app.config.ollama.embedding_query_timeout_ms;
  // Not ended when its time is over: Ollama gives up loading a model for which nobody waits any more.
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
      throw new Error(`The model "${model}" gave no vector of a question within ${limit} ms.`);
    }
    if (answer.digest !== generation.digest || answer.dimension !== generation.dimension) {
      throw new Error(`The model "${model}" is another one than the passages were embedded with.`);
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

/** Said once, until it works again: a server that is down is asked with every question. */
function complain(app: Asker, health: EmbeddingHealth, reason: string): void {
  if (health.complaint === reason) return;
  health.complaint = reason;
  app.log.warn({ reason }, 'a question was searched by words alone');
}
