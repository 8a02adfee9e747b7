import { editDistance } from '../platform/text/closest-word.js';
import { foldAccents, foldCase } from '../language/fold.js';
import { readTitle } from '../platform/text/heading.js';
import type { LanguagePack, SmallTalkKind } from '../language/language-pack.js';
import { isFunctionWord, languagePacks } from '../language/packs.js';

/** A message that greets, thanks, agrees, takes leave or asks about the assistant, and asks nothing else. */
export interface SmallTalk {
  kinds: ReadonlySet<SmallTalkKind>;
  /**
   * False where a word was read as a name or as a slip of the finger ("hi anna", "helo"): it may as well be a subject
   * of the knowledge.
   */
  sure: boolean;
  /** Its words without accents and slips. */
  meant: string;
}

/** No small talk is longer; in characters. */
const longest = 120;
/** The longest phrase, in words. */
const mostWords = 8;
/** Words that are a name or a slip at most. */
const mostStrange = 2;
/** A shorter word with another letter is another word. */
const shortestSlip = 4;
/** What a sign says; all other signs say nothing. */
const signs: [RegExp, string][] = [
  [/👋/gu, ' hi '],
  [/[👍🙏]|❤/gu, ' thx '],
];

type PhraseKind = keyof LanguagePack['smallTalk'];

/** Phrases after which another word is a subject: "no images". */
const nameless: ReadonlySet<PhraseKind> = new Set(['about', 'address', 'assent']);
/** Two to four words with capitals. */
const name =
  /^\s*(\p{Lu}\p{Ll}+(?:[-'’]\p{Lu}\p{Ll}+)*(?:\s\p{Lu}\p{Ll}+(?:[-'’]\p{Lu}\p{Ll}+)*){1,3})[\s.!]*$/u;
/** Characters of a name. */
const longestName = 60;

/** The kinds of each phrase by its words without accents, and the words of all of them. */
interface Vocabulary {
  phrases: ReadonlyMap<string, PhraseKind>;
  words: ReadonlySet<string>;
}

let vocabulary: Vocabulary | undefined;

/** What a message says where it is small talk, every word of it. */
export function smallTalkIn(message: string): SmallTalk | undefined {
  if (message.length > longest) return undefined;
  const { phrases, words } = (vocabulary ??= readPhrases());
  const typed = wordsOf(message);
  // "?", "…" and most pictures.
  if (typed.length === 0) return { kinds: new Set(['nothing']), sure: true, meant: '' };
  // Most messages are questions, and a search waits for this: slips are looked for in few words alone.
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
      // One name: two words that no phrase has are a subject ("hello world program").
      if (unknown.length > 1 || !mayName || isFunctionWord(meant[at] ?? '')) return undefined;
    } else if (kind !== 'address' && kind !== 'naming') kinds.add(kind);
    mayName = kind !== undefined && !nameless.has(kind);
    at += Math.max(1, length);
  }
  if (kinds.size === 0) return undefined;
  const sure = unknown.length === 0 && meant.every((word, at) => word === typed[at]);
  return { kinds, sure, meant: meant.join(' ') };
}

/** The name that a message consists of, of a person or a thing, which asks nothing by itself: "Hans Meier". */
export function loneNameIn(message: string): string | undefined {
  if (message.length > longestName) return undefined;
  const found = name.exec(message)?.[1];
  const isSentence = found?.split(/\s/).some((word) => isFunctionWord(word.toLowerCase()));
  return isSentence === true ? undefined : found;
}

/** Whether a passage is headed by a message, word for word. */
export function isHeading({ title }: { title: string }, message: string): boolean {
  return wordsOf(readTitle(title).heading).join(' ') === wordsOf(message).join(' ');
}

/** The words of a text as small talk is compared by: without accents, signs and letters held down ("hellooo"). */
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

/** The word that was meant, where one letter of it is wrong. */
function nearest(word: string, words: ReadonlySet<string>): string | undefined {
  if (word.length < shortestSlip || isFunctionWord(word)) return undefined;
  return [...words].find(
    (one) => one.length >= shortestSlip && one[0] === word[0] && editDistance(one, word) === 1,
  );
}

function readPhrases(): Vocabulary {
  const phrases = new Map<string, PhraseKind>();
  // The last that a phrase is listed under counts: "nothing" agrees, in whatever language.
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

/** All phrases of a line: `a/b` is one of the two, `-` nothing, `_` a space within one of them. */
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
