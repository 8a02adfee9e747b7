import { maskPersonalData } from '../../platform/text/mask-personal-data.js';

/** Masks personal data by the same rules as the service. */
export const mask = (text: string): string => maskPersonalData(text).text;
