import type { Language } from '../../language/language-pack.js';

/** How far vectors tell more than words do, from 0 to 1, as estimated from the passages themselves. */
export interface Trust {
  /** Languages of which there were too few passages are left out. */
  byLanguage: Partial<Record<Language, number>>;
  /** Passages that its readers saw when it was estimated. */
  passages: number;
}

/** Of vectors that were not judged. */
const unjudged = 0.5;

/** Whether the trust in one language was measured there, by enough of its passages. */
export function isJudgedIn(trust: Trust | undefined, language: Language): boolean {
  return trust?.byLanguage[language] !== undefined;
}

/** Whether the vectors of a question count anything; of one whose language is not told, in any language. */
export function servesIn(trust: Trust | undefined, language: Language | undefined): boolean {
  const judged = Object.keys(trust?.byLanguage ?? {}) as Language[];
  const asked = language === undefined ? [...judged, 'other' as const] : [language];
  return asked.some((one) => trustIn(trust, one) > 0);
}

/**
 * How far to trust the vectors of passages in one language; with another language that was judged too little is known.
 */
export function trustIn(trust: Trust | undefined, language: Language): number {
  const judged = trust?.byLanguage ?? {};
  return judged[language] ?? Math.min(unjudged, ...Object.values(judged));
}
