import type { App } from '../../platform/app.js';
import { messageOf } from '../../platform/errors.js';
import type { SearchScope } from '../scope.js';
import { embedQuestion } from './embed-question.js';
import { findLiveGeneration } from './generations.repository.js';
import { nearestPassages, type NearPassage } from './vectors.repository.js';

const unsupported = new WeakSet<App['db']>();

/**
 * The passages within the scope that are nearest to a text by meaning, nearest first. None where vectors can't serve:
 * no embedding model is set, none of its generations is whole yet, or it gives no vector in time. Never refuses.
 */
export async function searchVectors(
  app: Pick<App, 'db' | 'models' | 'config' | 'log'>,
  { text, scope, limit }: { text: string; scope: SearchScope; limit: number },
): Promise<NearPassage[]> {
  if (app.config.ollama.embedding_model === '' || text.trim() === '') return [];
  if (unsupported.has(app.db)) return [];
  const generation = await findLiveGeneration(app);
  if (generation === undefined) return [];
  const vector = await embedQuestion(app, generation, text);
  if (vector === undefined) return [];
  try {
    return await nearestPassages(app, generation.id, vector, scope, limit);
  } catch (error) {
    if (await app.db.dialect.canSearchVectors(app.db.read)) throw error;
    unsupported.add(app.db);
    const reason = messageOf(error);
    app.log.warn({ reason }, 'this system has no sqlite-vec: passages are found by words alone');
    return [];
  }
}
