import type { Language } from '../../language/language-pack.js';

/**
 * `live`: searches use it. `building`: it is embedded beside the live one. `previous`: it was live before. `undone`: it
 * was live until somebody reverted it. `discarded`: it is being deleted.
 */
export type GenerationState = 'building' | 'live' | 'previous' | 'undone' | 'discarded';

/** How much more than words the vectors find, from 0 to 1, estimated from the passages themselves. */
export interface Trust {
  /** Languages with too few passages are missing. */
  byLanguage: Partial<Record<Language, number>>;
  /** The number of indexed passages at the time of the estimate. */
  passages: number;
}

/** The vectors of one installed version of a model. They are comparable only with each other. */
export interface Generation {
  id: number;
  model: string;
  /** The digest of the model when the vectors were made; '' when the server reports none. */
  digest: string;
  dimension: number;
  passagePrefix: string;
  state: GenerationState;
  /** All passages up to this id were embedded. */
  embeddedTo: number;
  /** Passages that the model could not embed: only words find them. */
  refused: number;
  /** Null until there are enough passages for an estimate. */
  trust: Trust | null;
  createdAt: string;
}

/** The configured model as installed now. */
export interface WantedModel {
  model: string;
  digest: string;
  passagePrefix: string;
}

/** True when a generation's vectors are comparable with new ones of the model. */
export function isOf(generation: Generation, wanted: WantedModel): boolean {
  if (generation.passagePrefix !== wanted.passagePrefix) return false;
  if (wanted.digest !== '' || generation.digest !== '') return generation.digest === wanted.digest;
  return generation.model === wanted.model;
}

/** The trust in vectors that were not judged. */
const unjudged = 0.5;

/** True when the trust in one language was measured on enough passages. */
export function isJudgedIn({ trust }: Pick<Generation, 'trust'>, language: Language): boolean {
  return trust?.byLanguage[language] !== undefined;
}

/** True when a question's vectors count at all. A question without a known language may be in any. */
export function servesIn(
  generation: Pick<Generation, 'trust'>,
  language: Language | undefined,
): boolean {
  const judged = Object.keys(generation.trust?.byLanguage ?? {}) as Language[];
  const asked = language === undefined ? [...judged, 'other' as const] : [language];
  return asked.some((one) => trustIn(generation, one) > 0);
}

/**
 * The trust in vectors of passages in one language. An unmeasured language gets the default, or the lowest measured
 * trust if that is lower.
 */
export function trustIn({ trust }: Pick<Generation, 'trust'>, language: Language): number {
  const judged = trust?.byLanguage ?? {};
  return judged[language] ?? Math.min(unjudged, ...Object.values(judged));
}
