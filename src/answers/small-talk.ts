import { editDistance } from '../platform/text/closest-word.js';
import { foldAccents, foldCase } from '../language/fold.js';
import { readTitle } from '../platform/text/heading.js';
import type { LanguagePack, SmallTalkKind } from '../language/language-pack.js';
import { isFunctionWord, languagePacks } from '../language/packs.js';

/** A message that only greets, thanks, agrees, takes leave or asks about the assistant. */
export interface SmallTalk {
  kinds: ReadonlySet<SmallTalkKind>;
  /** False when a word was read as a name or a typo ("hi anna", "helo"): it may be a subject of the knowledge. */
  sure: boolean;
  /** Its words without accents and typos. */
  meant: string;
}

/** The most characters of small talk. */
const longest = 120;
const mostWords = 8;
/** The most words that may be a name or typo. */
const mostStrange = 2;
/** In a shorter word, another letter makes another word. */
const shortestSlip = 4;
/** The meaning of single signs; all other signs have none. */
const signs: [RegExp, string][] = [
  [/👋/gu, ' hi '],
  [/[👍🙏]|❤/gu, ' thx '],
];

type PhraseKind = keyof LanguagePack['smallTalk'];

/** Phrases after which an unknown word is a subject, not a name: "no images". */
const nameless: ReadonlySet<PhraseKind> = new Set(['about', 'address', 'assent']);
/** Two to four capitalized words. */
const name =
  /^\s*(\p{Lu}\p{Ll}+(?:[-'’]\p{Lu}\p{Ll}+)*(?:\s\p{Lu}\p{Ll}+(?:[-'’]\p{Lu}\p{Ll}+)*){1,3})[\s.!]*$/u;
/** The most characters of a name. */
const longestName = 60;

/** The kinds of each phrase by its words without accents, and the words of all phrases. */
interface Vocabulary {
  phrases: ReadonlyMap<string, PhraseKind>;
  words: ReadonlySet<string>;
}

let vocabulary: Vocabulary | undefined;

/** Reads a message as small talk, if every word of it is. */
export function smallTalkIn(message: string): SmallTalk | undefined {
  if (message.length > longest) return undefined;
  const { phrases, words } = (vocabulary ??= readPhrases());
  const typed = wordsOf(message);
  // "?", "…" and most pictures.
  if (typed.length === 0) return { kinds: new Set(['nothing']), sure: true, meant: '' };
  // Most messages are questions, and their search waits for this. So typos are looked for in few words only.
  const strange = typed.filter((word) => !words.has(word));
  if (strange.length > mostStrange || strange.some((word) => isFunctionWord(word)))
    return undefined;
  const meant = typed.map((word) => (words.has(word) ? word : (nearest(word, words) ?? word)));
  const kinds = new Set<SmallTalkKind>();
  const unknown: number[] = [];
  let mayName = false;
  for (let at = 0; at < meant.length;) {
    const length = longestPhrase(phrases, meant, at);
    const kind = phrases.get(meant.slice(at, at + length).join(' '));
    if (kind === undefined) {
      unknown.push(at);
      // Only one name: two unknown words are a subject ("hello world program").
      if (unknown.length > 1 || !mayName || isFunctionWord(meant[at] ?? '')) return undefined;
    } else if (kind !== 'address' && kind !== 'naming') kinds.add(kind);
    mayName = kind !== undefined && !nameless.has(kind);
    at += Math.max(1, length);
  }
  if (kinds.size === 0) return undefined;
  const sure = unknown.length === 0 && meant.every((word, at) => word === typed[at]);
  return { kinds, sure, meant: meant.join(' ') };
}

/** The name of a person or thing that is the whole message and asks nothing itself: "Hans Meier". */
export function loneNameIn(message: string): string | undefined {
  if (message.length > longestName) return undefined;
  const found = name.exec(message)?.[1];
  const isSentence = found?.split(/\s/).some((word) => isFunctionWord(word.toLowerCase()));
  return isSentence === true ? undefined : found;
}

/** True when a passage has the message as its heading, word for word. */
export function isHeading({ title }: { title: string }, message: string): boolean {
  return saysTheSame(readTitle(title).heading, message);
}

/** True for texts of the same words, whatever signs stand around them. */
export function saysTheSame(one: string, other: string): boolean {
  return wordsOf(one).join(' ') === wordsOf(other).join(' ');
}

/** The words of a text for comparison: without accents, signs and repeated letters ("hellooo"). */
function wordsOf(text: string): string[] {
  const said = signs.reduce((all, [sign, word]) => all.replace(sign, word), text);
  return (
    foldAccents(foldCase(said))
      .replace(/['’`´]/g, '')
      .replace(/(\p{L})\1{2,}/gu, '$1')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function longestPhrase(phrases: Vocabulary['phrases'], words: string[], at: number): number {
  for (let length = Math.min(mostWords, words.length - at); length > 0; length--) {
    if (phrases.has(words.slice(at, at + length).join(' '))) return length;
  }
  return 0;
}

/** The intended word, when one letter is wrong. */
function nearest(word: string, words: ReadonlySet<string>): string | undefined {
  if (word.length < shortestSlip || isFunctionWord(word)) return undefined;
  return [...words].find(
    (one) => one.length >= shortestSlip && one[0] === word[0] && editDistance(one, word) === 1,
  );
}

function readPhrases(): Vocabulary {
  const phrases = new Map<string, PhraseKind>();
  // The last list that contains a phrase counts: "nothing" agrees, in any language.
  const kinds: PhraseKind[] = [
    'address',
    'naming',
    'greeting',
    'thanks',
    'assent',
    'leave',
    'about',
  ];
  for (const kind of kinds) {
    for (const { smallTalk } of languagePacks) {
      const lines = smallTalk[kind].split('\n').map((line) => line.trim());
      for (const phrase of lines.filter((line) => line !== '').flatMap(spelledOut)) {
        phrases.set(wordsOf(phrase).join(' '), kind);
      }
    }
  }
  return { phrases, words: new Set([...phrases.keys()].flatMap((phrase) => phrase.split(' '))) };
}

/** All phrases of a line: `a/b` is one of the two, `-` means nothing, `_` is a space within one of them. */
function spelledOut(line: string): string[] {
  return line
    .split(' ')
    .reduce<string[]>(
      (all, slot) =>
        all.flatMap((begun) =>
          slot.split('/').map((one) => `${begun} ${one.replaceAll('_', ' ')}`),
        ),
      [''],
    )
    .map((phrase) => phrase.replaceAll(' -', ''));
}
