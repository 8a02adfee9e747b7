import type { PanelTexts } from './texts.js';

/** The texts of a language as the scripts hold them: in the order of their names. */
export type ListedTexts = readonly unknown[];

/** Inserted by the build of the scripts: every language has the same names, so the panel holds them once. */
declare const TEXT_NAMES: string;

export function nameTexts(words: PanelTexts | ListedTexts): PanelTexts {
  return 'menu' in words
    ? words
    : (Object.fromEntries(
        TEXT_NAMES.split(' ').map((name, at) => [name, words[at]]),
      ) as unknown as PanelTexts);
}
