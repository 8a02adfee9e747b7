import { english } from './english.js';
import { foldAccents } from './fold.js';
import { answerKinds, type AnswerKind, type LanguagePack } from './language-pack.js';
import { inAnyLanguage } from './packs.js';

const askedBy = patternsOf(({ asked }) => asked);
const toldBy = patternsOf(({ told }) => told);

/** A command, an option or a step of a list: the best answer to a "how" question. */
const step = /`|--[a-z]|^\s*(?:[-*•]|\d{1,2}[.)]|[$>#])\s/m;

/** The number of a list item does not count. */
const listMark = /^\s*\d{1,3}[.)]\s/;

const changeAsked = wholeWords(({ change }) => change.asked);
const changeTold = wholeWords(({ change }) => change.told);
const settingName = /(?<![\w./])[a-z]\w*(?:\.[a-z]\w*)+(?![\w/])/g;
/** A name such as `max_pages` is a setting in a table; elsewhere it may be a code or a function. */
const settingRow = /^\|.*(?<![\w./])[a-z]+_[a-z]\w*(?![\w/])/;

/** True when a message only asks how something can be changed; its subject is in the conversation. */
export function asksForChange(message: string): boolean {
  return changeAsked.test(plain(message));
}

export function tellsChange(text: string): boolean {
  return changeTold.test(plain(text)) || namesSetting(text);
}

/** True when a text contains a name such as `server.port`, or is a table row for one such as `max_pages`. */
export function namesSetting(text: string): boolean {
  return settingsIn(text).length > 0 || settingRow.test(text);
}

/** The names in a text that look like `server.port`. */
export function settingsIn(text: string): readonly string[] {
  return text.match(settingName) ?? [];
}

export function kindOf(question: string): AnswerKind | undefined {
  const text = plain(question);
  return answerKinds.find((kind) => askedBy[kind].test(text));
}

/** True for kinds of answers that always contain a number, a unit or a word such as "always". */
export function isMeasure(kind: AnswerKind | undefined): boolean {
  return kind === 'number' || kind === 'duration' || kind === 'frequency';
}

/** True when a text contains the requested kind of answer, beyond the words of the question. */
export function holdsKind(kind: AnswerKind, unit: string, question: string): boolean {
  const text = unit.replace(listMark, '');
  if (kind === 'list') return lists(text);
  if (kind === 'person' || kind === 'place') {
    return namesIn(text).some((name) => !question.includes(name));
  }
  if (kind === 'meaning') return defines(text, question);
  const further = numbersIn(text).some((number) => !question.includes(number));
  if (kind === 'number' && further) return true;
  if (kind === 'time' && /\b\d{4}\b|\d:\d\d/.test(text) && further) return true;
  return toldBy[kind].test(plain(text)) || (kind === 'way' && step.test(unit));
}

/** The signs in a sentence for any kind of answer: one bit per kind, and two numbers up to 3. */
export function kindSignsOf(sentence: string): number {
  const text = sentence.replace(listMark, '');
  const folded = plain(text);
  let signs = 0;
  for (const [index, kind] of answerKinds.entries()) {
    if (showsKind(kind, text, folded)) signs |= 1 << index;
  }
  const names = Math.min(mostCounted, namesIn(text).length);
  const numbers = Math.min(mostCounted, numbersIn(text).length);
  return signs | (names << answerKinds.length) | (numbers << (answerKinds.length + 2));
}

/** The most names or numbers of a sentence that are counted. */
const mostCounted = 3;

/** As `holdsKind`, for a sentence with these signs. `asked` counts the question's names and numbers in it. */
export function signsHoldKind(
  signs: number,
  kind: AnswerKind,
  asked: { names: number; numbers: number },
): boolean {
  const names = (signs >> answerKinds.length) & mostCounted;
  const numbers = (signs >> (answerKinds.length + 2)) & mostCounted;
  if (kind === 'person' || kind === 'place') return names > Math.min(asked.names, mostCounted - 1);
  const further = numbers > Math.min(asked.numbers, mostCounted - 1);
  if (kind === 'number' && further) return true;
  return (signs & (1 << answerKinds.indexOf(kind))) !== 0;
}

function showsKind(kind: AnswerKind, text: string, folded: string): boolean {
  if (kind === 'person' || kind === 'place') return false;
  if (kind === 'list') return lists(text);
  if (kind === 'meaning') return copula.test(folded);
  if (kind === 'time' && /\b\d{4}\b|\d:\d\d/.test(text)) return true;
  return toldBy[kind].test(folded) || (kind === 'way' && step.test(text));
}

const listed = new RegExp(
  String.raw`\p{L}, .{1,60}\s(?:${inAnyLanguage((pack) => pack.conjunctions.listing)})\s`,
  'u',
);

/** True when a text lists several things: "user, backoffice and admin". */
function lists(text: string): boolean {
  return listed.test(text);
}

/** The verb of a definition. */
const copula = new RegExp(String.raw`\s(?:${inAnyLanguage(({ told }) => told.meaning)})\s`);
/** The most words between the beginning of a definition and the end of the defined term. */
const longestSubject = 8;

/** True when a sentence begins with the question's subject and defines it: "Heron is a …". */
function defines(text: string, question: string): boolean {
  // Code and questions define nothing.
  if (/^\s*(?:```|~~~)|\?\s*$/.test(text)) return false;
  const sentence = plain(text);
  const end = copula.exec(sentence)?.index;
  if (end === undefined) return false;
  const subject = sentence.slice(0, end).match(/[\p{L}\p{N}-]+/gu) ?? [];
  if (subject.length > longestSubject) return false;
  const asked = plain(question).match(/[\p{L}\p{N}]{3,}|\p{N}+/gu) ?? [];
  // The subject is at the end of a question such as "What is debmake?".
  const thing = asked.at(-1);
  return (
    thing !== undefined &&
    subject.some((word) => word.startsWith(thing.slice(0, Math.max(3, thing.length - 2))))
  );
}

function plain(text: string): string {
  return foldAccents(text.toLowerCase()).replaceAll('ß', 'ss');
}

function patternsOf<Kind extends AnswerKind>(
  parts: (pack: LanguagePack) => Record<Kind, string>,
): Record<Kind, RegExp> {
  const kinds = Object.keys(parts(english)) as Kind[];
  return Object.fromEntries(
    kinds.map((kind) => [kind, wholeWords((pack) => parts(pack)[kind])]),
  ) as Record<Kind, RegExp>;
}

function wholeWords(part: (pack: LanguagePack) => string): RegExp {
  return new RegExp(String.raw`\b(?:${inAnyLanguage(part)})\b`);
}

function numbersIn(text: string): string[] {
  return text.match(/\d+(?:[.,]\d+)*/g) ?? [];
}

/** Words with a capital letter that begin no sentence. In German, where nouns have one, this means less. */
function namesIn(text: string): string[] {
  return text.match(/(?<=[\p{L}\p{N},;)] )\p{Lu}[\p{L}\p{N}]+/gu) ?? [];
}
