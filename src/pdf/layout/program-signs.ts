/** What programs, commands and records have, and sentences rarely. */
const signs = [
  // A prompt, an option, a path.
  /^(?:[$#%>] ?\S|\S{1,20}[$#>] )|(?:^|\s)--?\w|(?:^|[\s"'=])[~.]?\/\w/,
  // Assignments, brackets, tags, columns of a record.
  /[={}|\\_]|<\/?\w[^<>]*>|\w\(|\w:\w|::|^[()[\]]+[;,]?$|[;(]$/,
  // Quoted values, names with numbers, serial numbers.
  /["'’”]\s?[,:](?:\s|["'‘“]|$)|\p{Ll}\d|\b(?=\w*\d)(?=\w*\p{Lu})\w{10,}/u,
];

/** What hardly anything but a program has. */
const sureSigns = [
  // A prompt with its command, or what it answers.
  /^(?:[$%] |>>>? |\S+@\S+[$#] ?|[A-Z]:\\\S*>|=> ?)\S/,
  // Brackets that open or close a block.
  /^[{}][;,)]?$|[\w)\]}"'] ?\{$|^\} ?(?:\w+;?|else.*|while.*)$/,
  // A statement or a declaration that its semicolon ends: a call, an assignment, a pointer, an array.
  /(?:[\w)]\(.*\)|[\w\])"'] ?[-+*/|&:]?= ?.*|\w ?\*+ ?\w+|\w\[\w*\]|\w(?:::|->)\w.*);(?:\s*(?:\/\/|\/\*).*)?$/,
  // Assignments to names that no sentence has, and to variables.
  /^(?:\$\w+|\w+_\w+|\w+\.\w+|\w+\[\w*\]) ?(?::|[-+|&])?= ?\S|^\w+ := \S|^set \w+ (?:[[{$"]|\S+(?: \S+)?$)/,
  // Tags alone on their line, commands of TeX.
  /^<[/!?]?\w[^<>]*>(?:.*<\/\w[^<>]*>)?$|^\\\w+(?:\*?[{[]|$)/,
  // The head of a procedure.
  /^(?:proc|procedure|function|def|class|sub|func)\s+[\w.:]+ ?[({:;]/,
];
/** For a preprocessor or the system. */
const directive =
  /^#(?:!\/|include ?[<"“]|(?:define|undef|ifn?def|if|elif|pragma) [\w(!]|(?:endif|else)\s*(?:\/|$))/;
/** What may stand in a listing without any sign. */
const remark = /^(?:\/[/*]|\*[/ ]|#|--|;;|%|')|\*\/$/;
/** Signs of formulas, and the numbers behind them. */
const formula = /[\u0370-\u03ff\u2070-\u209f\u2200-\u22ff²³¹−×÷]|\(\d+(?:[.-]\d+)*[a-z]?\)$/;

const word = /^["'“‘«(]?\p{L}[\p{L}'’-]*["'”’»)]?[.,:;!?]?["'”’»)]?$/u;
/** A line with so many words in sequence belongs to a sentence. */
const manyWords = 5;
/** The same for a line that fills its column. */
const fewWords = 3;
const wordShare = 0.8;

/** True for a line that has hardly anything but words. */
export function isProse(text: string): boolean {
  if (/[;({]$/.test(text)) return false;
  const parts = text.split(' ');
  const words = parts.filter((part) => word.test(part)).length;
  return words >= manyWords && words >= wordShare * parts.length;
}

export function hasSign(text: string): boolean {
  return signs.some((sign) => sign.test(text));
}

/** True for so many words in sequence as only a sentence has. Letters that are set apart are no words, nor are names with their types. */
function hasSentence(text: string, many: number): boolean {
  let count = 0;
  for (const part of text.split(' ')) {
    if (/^[b-hj-np-xz]$/i.test(part)) continue;
    count = word.test(part) && !/[:;]$/.test(part) ? count + 1 : 0;
    if (count >= many) return true;
  }
  return false;
}

/** How much a line looks like one of a program: `open` where it may be one between others. */
export type Likeness = 'sure' | 'likely' | 'open' | 'never';

/** @param isLong the line fills its column, as lines of a sentence do */
export function likenessOf(text: string, isLong: boolean): Likeness {
  if (directive.test(text)) return 'sure';
  if (remark.test(text)) return 'likely';
  const bare = text.replace(/\s(?:\/\/|\/\*).*$/, '').replace(/"[^"]*"|“[^”]*”|'[^']*'/g, '""');
  if (formula.test(text) || /[\p{L})\]}"'”’]\.$/u.test(bare)) return 'never';
  if (hasSentence(bare, manyWords)) return 'never';
  if (sureSigns.some((sign) => sign.test(text))) return 'sure';
  // It announces what follows.
  if (/[:：]$/.test(text)) return 'never';
  const isSigned = hasSign(text);
  if (isLong && hasSentence(bare, fewWords)) return isSigned ? 'open' : 'never';
  if (isSigned) return 'likely';
  return isLong ? 'never' : 'open';
}
