import type { App } from '../platform/app.js';
import { countHolding, countInScope } from './count-in-scope.repository.js';
import { findHeld, type SearchScope } from './passages.repository.js';
import { weighAmong, type WeightedTerm } from './weigh-terms.js';

/**
 * A question's words as its scope knows them. A search weighs them by the whole index, which others write too: what
 * stands in their texts, and how often, is nothing to show.
 */
export async function showTerms(
  app: Pick<App, 'db'>,
  scope: SearchScope,
  terms: readonly WeightedTerm[],
): Promise<WeightedTerm[]> {
  const passages = await countInScope(app, scope);
  const shown: WeightedTerm[] = [];
  for (const term of terms) {
    // A function word stands nearly everywhere, where it stands at all; counting it would take long.
    const holding = term.isStopWord
      ? (await findHeld(app, scope, [term.variants])).size * passages
      : await countHolding(app, scope, term.variants);
    const weight = weighAmong(term, { passages, holding });
    shown.push({ ...term, weight, known: holding > 0 });
  }
  return shown;
}
