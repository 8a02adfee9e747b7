import { withCells, type PageLines } from '../layout/page.js';

const word = /[\p{L}\p{M}]+(?:[-\u2010][\p{L}\p{M}]+)*/gu;
/** An option or a negative number: "-o", "-60", "--all", and as TeX prints the last one. */
const option = /(?<=[\s(["“[])(?:--?|–)[\p{L}\p{N}][\w-]*/gu;
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;
const lettersAtEnd = /[\p{L}\p{M}\p{N}]+$/u;
const wordAtStart = /^[\p{L}\p{M}\p{N}]+/u;
/**
 * After a hyphen, these words show that it replaces the other half of a compound: "Ein- und Ausgabe", "pre- and
 * postprocessing", "macro- y microeconomía".
 */
const conjunction = /^(und|oder|bzw|sowie|als|wie|bis|auch|and|or|to|y|e|o|u|et|ou)$/i;

/** The part of a word before a hyphen at the end of a line. A pattern alone would try every letter of every line. */
function brokenWord(line: string): string | undefined {
  if (!/[-\u2010\u00ad\u2011]$/.test(line)) return undefined;
  return lettersAtEnd.exec(line.slice(-80, -1))?.[0];
}

const addresses = /(?:https?|ftp):\/\/[^\s-]+/g;

/** The words of one document, to distinguish "in-stallation" from "command-line". */
export interface Vocabulary {
  has(candidate: string): boolean;
  /** True when this document breaks words at line ends. */
  hyphenates: boolean;
}

/** Collects the words of all pages. Few words that are broken tell nothing: then the document breaks words. */
export function collectVocabulary(pages: readonly PageLines[]): Vocabulary {
  const texts = pages.flatMap(({ lines }) => lines.flatMap(withCells)).map(({ text }) => text);
  const { has, breaks, joined, kept } = collectWords(texts);
  return { has, hyphenates: breaks < 4 || joined >= kept };
}

/** The same for typed text, where a sign at the end of a line is mostly that of a compound. */
export function collectTyped(lines: readonly string[]): Vocabulary {
  const { has, joined, kept } = collectWords(lines);
  return { has, hyphenates: joined > kept };
}

interface Words {
  has: (candidate: string) => boolean;
  /** How many words are broken at line ends, and how many of them occur elsewhere as one word and with a sign. */
  breaks: number;
  joined: number;
  kept: number;
}

/** Collects the words that are not broken by a line end. */
function collectWords(lines: readonly string[]): Words {
  const words = new Set<string>();
  const breaks: [string, string][] = [];
  let broken: string | undefined;
  for (const text of lines) {
    // The parts of an address are no words, and its end may be cut.
    const prose = text.includes('://') ? text.replace(addresses, '') : text;
    const found = prose.match(word) ?? [];
    if (/ [-–]/.test(text))
      for (const each of text.match(option) ?? []) words.add(each.toLowerCase());
    const start = broken === undefined ? undefined : wordAtStart.exec(text)?.[0];
    if (broken !== undefined && start !== undefined) breaks.push([broken, start]);
    const next = brokenWord(text);
    // The halves of broken words are none.
    const from = broken === undefined ? 0 : 1;
    const to = next === undefined ? found.length : found.length - 1;
    for (const each of found.slice(from, to)) words.add(each.toLowerCase());
    broken = next;
  }
  const has = (candidate: string) => words.has(candidate.toLowerCase());
  const joined = breaks.filter(([a, b]) => has(a + b)).length;
  const kept = breaks.filter(([a, b]) => has(`${a}-${b}`)).length;
  return { has, breaks: breaks.length, joined, kept };
}

/** Searching a book-long paragraph for each of its lines would take too long. Nothing that is cut is longer. */
const longestEnd = 500;
/** An identifier in capitals, cut behind or before its sign: "OA_SOAP_SEN_" and "IN_PWR". */
const cutIdentifier = /(?:^|[^\w])[A-Z\d]+(?:(?:_[A-Z\d]+)*_|(?:_[A-Z\d]+)+)$/;

/** Joins two lines of one paragraph. */
export function joinLines(before: string, after: string, vocabulary: Vocabulary): string {
  const left = before.trimEnd();
  const right = after.trimStart();
  if (left === '' || right === '') return left + right;
  if (cjk.test(left.slice(-1)) && cjk.test(right.charAt(0))) return left + right;
  const goesOn = left.endsWith('_') ? /^[A-Z\d]/.test(right) : /^_[A-Z]/.test(right);
  if (goesOn && cutIdentifier.test(left.slice(-longestEnd))) {
    return left + right;
  }
  const sign = /(?:^|[\s(["“[])(--?|–)$/.exec(left.slice(-3))?.[1];
  if (sign !== undefined) {
    const name = /^[\p{L}\p{N}][\w-]*/u.exec(right)?.[0] ?? '';
    return vocabulary.has(sign + name) ? left + right : `${left} ${right}`;
  }
  const tail = brokenWord(left);
  const head = wordAtStart.exec(right)?.[0];
  // A compound whose first half ends in a bracket or quote: "gettext(1)-" and "Werkzeuge".
  if (tail === undefined && head !== undefined && /[)\]}"”’»][-\u2010]$/.test(left)) {
    return conjunction.test(head) ? `${left} ${right}` : left + right;
  }
  if (tail === undefined || head === undefined) return joinAddress(left, right);
  const stem = left.slice(0, -1);
  if (left.endsWith('\u00ad')) return stem + right;
  if (conjunction.test(head) && !vocabulary.has(tail + head)) return `${left} ${right}`;
  // The number of a name is no part of its word: "BLO-" and "SUM62".
  if (vocabulary.has(tail + head.replace(/(?<=\p{L})\d+$/u, ''))) return stem + right;
  // Names, options and numbers keep their hyphen: "GNU-Linux", "--dry-run", "sub-2", "x86-basiert".
  const partOfCompound = /[-\u2010/_.:@]\p{L}*$/u.test(stem);
  if (vocabulary.has(`${tail}-${head}`) || partOfCompound) return left + right;
  if (/^[\p{Lu}\p{N}]/u.test(head) || /\p{N}$/u.test(tail)) return left + right;
  return vocabulary.hyphenates ? stem + right : left + right;
}

/** The beginning of an address in a text, perhaps behind a bracket or a quote. */
export const address = /^[("“<\[]*(?:https?|ftp):\/\//;
/** An address without its scheme: "doi.org/10.1111". */
const bareAddress = /^(?:[\w-]+\.)+[a-z]{2,6}\/\S*$/;

/** True for text that begins as an address does, and for an address without its scheme. */
export function isAddress(text: string): boolean {
  return address.test(text) || bareAddress.test(text);
}

/** What only an address has in its middle. */
const inAddress = /^[\w%~.-]*(?:[/?=&#%_~]|\.(?:html?|php|pdf|txt|org|com|net)\b)/;

/** Joins an address or an option that breaks at the end of a line, without a space. */
function joinAddress(left: string, right: string): string {
  const last = /\S+$/.exec(left.slice(-longestEnd))?.[0] ?? '';
  const isStart = /^[("“<\[]*(?:https?|ftp):$/.test(last) && right.startsWith('//');
  return isStart || (isAddress(last) && isCut(last, right)) ? left + right : `${left} ${right}`;
}

/** True when the second line begins with the rest of the address with which the first one ends. */
function isCut(last: string, right: string): boolean {
  if (/[/&?=_%#]$|:\/\/[\w-]+\.$/.test(last)) return /^[\w%~]/.test(right);
  if (last.endsWith('.')) return /^[\w-]+(?:\.[\w-]+)*\/|^(?:html?|php|pdf|txt)\b/.test(right);
  if (!/\w$/.test(last) || address.test(right)) return false;
  return inAddress.test(right);
}
