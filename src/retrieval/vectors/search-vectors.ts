import type { App } from '../../platform/app.js';
import type { Language } from '../../platform/text/languages.js';
import { embedQuestion } from './embed-question.js';
import { isJudgedIn, servesIn, trustIn } from './generation.js';
import { findLiveGeneration } from './generations.repository.js';
import { nearestPassages, type NearPassage } from './nearest-passages.js';

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
 * Those of the visible passages (ascending numbers) that are nearest to a text by meaning. None where vectors can't serve: no embedding
 * model is set, none of its generations is whole yet, it gives no vector in time, or it does not understand the
 * language of the text. Never refuses.
 */
export async function searchVectors(
  app: Pick<App, 'db' | 'models' | 'config' | 'log'>,
  input: { text: string; language: Language | undefined; visible: Uint32Array; limit: number },
): Promise<NearPassages> {
  const { text, language, visible, limit } = input;
  if (app.config.ollama.embedding_model === '' || text.trim() === '') return nothing;
  const generation = await findLiveGeneration(app);
  if (generation === undefined) return nothing;
  if (!servesIn(generation, language)) return nothing;
  // A model that does not understand the question is near to anything, in whatever language.
  const most = language === undefined ? 1 : (generation.trust?.byLanguage[language] ?? 1);
  const vector = await embedQuestion(app, generation, text);
  if (vector === undefined) return nothing;
  return {
    near: await nearestPassages(app, generation, vector, visible, limit),
    trust: (of) => Math.min(most, trustIn(generation, of)),
    isJudged: (of) =>
      isJudgedIn(generation, of) && (language === undefined || isJudgedIn(generation, language)),
  };
}
