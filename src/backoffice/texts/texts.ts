import type { PageLanguage } from '../../accounts/users/preferences.js';
import { de } from './de.js';
import { en, type Texts } from './en.js';
import { es } from './es.js';

/** Names the sentence that a page shows after a change. */
export type DoneCode = keyof Texts['done'];

export const textsOf: Record<PageLanguage, Texts> = { en, es, de };
