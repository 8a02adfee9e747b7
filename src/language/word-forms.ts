import { remembering } from '../platform/remember.js';
import { foldAccents, foldCase } from './fold.js';
import type { LanguagePack } from './language-pack.js';
import { languagePacks, wordSet } from './packs.js';

/** Shorter beginnings are those of too many other words. */
const shortestRoot = 3;

/**
 * The forms of a word that have its stem in one of the languages: refund, refunded and refunding for refunds. They find
 * a word in an index without stems that also finds words by their beginning: forms that begin with the word are left out.
 */
export const formsOf: (word: string) => readonly string[] = remembering((word) => {
  const own = foldCase(word);
  // The languages have no words in other scripts.
  if (!/^\p{Script=Latin}+$/u.test(own)) return [];
  const forms = languagePacks.flatMap((pack) =>
    [own, ...(pack.respell?.(own) ?? [])].flatMap((one) => formsIn(pack, one, own)),
  );
  return [...new Set(forms)];
}, 3000);

const endings = new Map(languagePacks.map((pack) => [pack, ['', ...wordSet(pack.endings)]]));

/** The forms of one spelling of a word, without those that begin with the word as it is. */
function formsIn(pack: LanguagePack, spelling: string, word: string): string[] {
  const stem = stemIn(pack, spelling);
  let length = spelling.length;
  while (length >= shortestRoot && !stem.startsWith(foldAccents(spelling.slice(0, length))))
    length -= 1;
  // The stem of "policy" ends with another letter.
  const roots = [length, length - 1].filter((one) => one >= shortestRoot);
  return roots
    .flatMap((one) => (endings.get(pack) ?? []).map((ending) => spelling.slice(0, one) + ending))
    .filter((form) => !form.startsWith(word) && stemIn(pack, form) === stem);
}

function stemIn(pack: LanguagePack, word: string): string {
  return foldAccents(pack.stem(word));
}
