import { inAnyLanguage } from './packs.js';

const prefix = new RegExp(`^(?:${inAnyLanguage(({ opposites }) => opposites)})`);

/** Whether a word begins with the opposite of another: "uninstall" with that of "install". */
export function isOpposite(word: string, other: string): boolean {
  const [before] = prefix.exec(word) ?? [];
  return before !== undefined && word.startsWith(other, before.length);
}
