import type { Language } from '../../language/language-pack.js';

/** How much more than words the vectors find, from 0 to 1, estimated from the passages themselves. */
export interface Trust {
  /** Languages with too few passages are missing. */
  byLanguage: Partial<Record<Language, number>>;
  /** Passages that its readers saw when it was estimated. */
  passages: number;
}

/** The trust in vectors that were not judged. */
const unjudged = 0.5;

/** True when the trust in one language was measured on enough passages. */
export function isJudgedIn(trust: Trust | undefined, language: Language): boolean {
  return trust?.byLanguage[language] !== undefined;
}

/** True when a question's vectors count at all. A question without a known language may be in any. */
export function servesIn(trust: Trust | undefined, language: Language | undefined): boolean {
  const judged = Object.keys(trust?.byLanguage ?? {}) as Language[];
  const asked = language === undefined ? [...judged, 'other' as const] : [language];
  return asked.some((one) => trustIn(trust, one) > 0);
}

/**
 * The trust in vectors of passages in one language. An unmeasured language gets the default, or the lowest measured
 * trust if that is lower.
 */
export function trustIn(trust: Trust | undefined, language: Language): number {
  const judged = trust?.byLanguage ?? {};
  return judged[language] ?? Math.min(unjudged, ...Object.values(judged));
}
