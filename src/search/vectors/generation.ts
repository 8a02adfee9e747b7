import type { Language } from '../../language/language-pack.js';

/**
 * `building` is embedded beside the `live` one, which searches use; `previous` was live before, and `undone` was
 * live until somebody went back; `discarded` ones are being deleted.
 */
export type GenerationState = 'building' | 'live' | 'previous' | 'undone' | 'discarded';

/** How far vectors tell more than words do, from 0 to 1, as estimated from the passages themselves. */
export interface Trust {
  /** Languages of which there were too few passages are left out. */
  byLanguage: Partial<Record<Language, number>>;
  /** Passages of the index when it was estimated. */
  passages: number;
}

/** What one model, as it was installed, made of the passages: vectors that can be compared with each other alone. */
export interface Generation {
  id: number;
  model: string;
  /** Of the model as it was when the vectors were made; '' of a server that names none. */
  digest: string;
  dimension: number;
  passagePrefix: string;
  state: GenerationState;
  /** All passages up to this id were embedded. */
  embeddedTo: number;
  /** Passages of which the model made nothing: words alone find them. */
  refused: number;
  /** Null until there are enough passages to estimate it. */
  trust: Trust | null;
  createdAt: string;
}

/** What the settings ask for, as it is installed now. */
export interface WantedModel {
  model: string;
  digest: string;
  passagePrefix: string;
}

/** Whether a generation's vectors and those that the model would give now lie in one space. */
export function isOf(generation: Generation, wanted: WantedModel): boolean {
  if (generation.passagePrefix !== wanted.passagePrefix) return false;
  if (wanted.digest !== '' || generation.digest !== '') return generation.digest === wanted.digest;
  return generation.model === wanted.model;
}

/** Of vectors that were not judged. */
const unjudged = 0.5;

/** Whether the trust in one language was measured there, by enough of its passages. */
export function isJudgedIn({ trust }: Pick<Generation, 'trust'>, language: Language): boolean {
  return trust?.byLanguage[language] !== undefined;
}

/** Whether the vectors of a question count anything; of one whose language is not told, in any language. */
export function servesIn(
  generation: Pick<Generation, 'trust'>,
  language: Language | undefined,
): boolean {
  const judged = Object.keys(generation.trust?.byLanguage ?? {}) as Language[];
  const asked = language === undefined ? [...judged, 'other' as const] : [language];
  return asked.some((one) => trustIn(generation, one) > 0);
}

/**
 * How far to trust the vectors of passages in one language; with another language that was judged too little is known.
 */
export function trustIn({ trust }: Pick<Generation, 'trust'>, language: Language): number {
  const judged = trust?.byLanguage ?? {};
  return judged[language] ?? Math.min(unjudged, ...Object.values(judged));
}
