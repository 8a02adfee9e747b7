import type { App } from '../platform/app.js';
import { decodeFeatures, type TermFeatures } from '../platform/text/term-features.js';
import { recallFeatures } from './memory/feature-memory.js';
import { isVisible, settingsOf, type PassageMemory } from './memory/passage-memory.js';
import { readCandidates, type SearchScope, type StoredCandidate } from './passages.repository.js';

/** What a passage is scored by, before its text is read. */
export interface Candidate extends Omit<StoredCandidate, 'features'> {
  features: TermFeatures;
}

/** What those passages are scored by, as far as they are within the scope. */
export async function recallCandidates(
  app: Pick<App, 'db'>,
  scope: SearchScope,
  ids: readonly number[],
  memory: PassageMemory | undefined,
): Promise<Candidate[]> {
  if (memory === undefined) {
    const stored = await readCandidates(app, scope, ids);
    return stored.map((one) => ({ ...one, features: decodeFeatures(one.features) }));
  }
  const visible = ids.flatMap((id) => {
    const settings = settingsOf(memory, id);
    return settings !== undefined && isVisible(settings, scope) ? [{ id, settings }] : [];
  });
  const features = await recallFeatures(
    app,
    visible.map(({ id }) => id),
  );
  return visible.flatMap(({ id, settings }) => {
    const { language, viewId, domain, urlPattern } = settings;
    const own = features.get(id);
    return own === undefined ? [] : [{ id, language, viewId, domain, urlPattern, features: own }];
  });
}
