import { maskPersonalData } from '../../platform/text/mask-personal-data.js';

/** Masks personal data by the same rules as the service. Loaded only with `piiMasking`. */
export const part = (text: string): string => maskPersonalData(text).text;
