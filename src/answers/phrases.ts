import { english } from '../language/english.js';
import type { Language, Phrases } from '../language/language-pack.js';
import { languagePacks, packOf } from '../language/packs.js';

/** What the assistant itself says, in the reader's language. */
export function phrasesIn(language: Language): Phrases {
  return (packOf(language) ?? english).phrases;
}

/** That nothing was found for a name or a question, in the words of the person who asked. */
export function nothingOn(asked: string, language: Language): string {
  const words = asked.replace(/^[\s¿?¡!]+|[\s¿?¡!]+$/g, '');
  return phrasesIn(language).nothingOn.replace('{asked}', () => words);
}

/** Whether an answer ends with a question that nothing was found on. */
export function leavesOpen(text: string): boolean {
  const last = text.slice(text.lastIndexOf('\n\n') + 2);
  return languagePacks.some(({ phrases }) => {
    const [before = '', behind = ''] = phrases.nothingOn.split('{asked}');
    return last.startsWith(before) && last.endsWith(behind);
  });
}

/** Whether a text is what the assistant says, in any language, where the knowledge holds no answer. */
export function isNotFound(text: string): boolean {
  return languagePacks.some(({ phrases }) => text.trim() === phrases.notFound);
}
