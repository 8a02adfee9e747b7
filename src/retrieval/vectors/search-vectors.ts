import type { App } from '../../platform/app.js';
import type { Language } from '../../platform/text/languages.js';
import { embedQuestion } from './embed-question.js';
import { trustIn } from './generation.js';
import { findLiveGeneration } from './generations.repository.js';
import { nearestPassages, type NearPassage } from './nearest-passages.js';

export interface NearPassages {
  /** Nearest first. */
  near: NearPassage[];
  /** What the nearness of a passage in a language counts, from 0 to 1. */
  trust: (language: Language) => number;
}

const nothing: NearPassages = { near: [], trust: () => 0 };

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
  const judged = generation.trust?.byLanguage;
  // A model that does not understand the question is near to anything, in whatever language.
  const most = language === undefined ? 1 : (judged?.[language] ?? 1);
  if (most === 0) return nothing;
  const vector = await embedQuestion(app, generation, text);
  if (vector === undefined) return nothing;
  return {
    near: await nearestPassages(app, generation, vector, visible, limit),
    trust: (of) => Math.min(most, trustIn(generation, of)),
  };
}
