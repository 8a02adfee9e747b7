import type { PanelTexts } from './texts.js';

/** The words of a language in the order of their names, as the scripts have them. */
export type ListedTexts = readonly unknown[];

/** Put in by the build of the scripts: every language has the same names, and the panel holds them once. */
declare const TEXT_NAMES: string;

export function nameTexts(words: PanelTexts | ListedTexts): PanelTexts {
  return 'menu' in words
    ? words
    : (Object.fromEntries(
        TEXT_NAMES.split(' ').map((name, at) => [name, words[at]]),
      ) as unknown as PanelTexts);
}
