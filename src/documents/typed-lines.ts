/** In characters: lines of paragraphs are longer, except their last ones. */
const narrow = 60;
const prompt = /^(?:[$%>#] |[\w.-]+[>$%#] \S|[\w.-]+@[\w.-]+\S*[$#] )/;
const comment = /^\s*(?:#|\/\/|--\s|\/\*|\*\/)/;
const sentence = /^\s*\p{Lu}[\p{L}\d]*:? .*\p{Ll}[.!?:]$/u;
const codeLine =
  /;$(?<!^\s*(?:\p{L}+,? ){3,80}\p{L}+;)|[{}\\]$|;\s*(?:\/\/|\/\*|#)|^\s*(?:#\w|#\s|\/\/|\/\*|<\/?\w|[-\w.]+\s*[:=]=?\s|[$%>] )|\w\(.{0,200}\)|(?:^|\s)--?\w+[= ]|[<>|&]{2}|\$\w/u;
/** A line that is no sentence, whatever is around it: a setting, the head of its section, a brace, a command. */
export const sureLine =
  /^\s*(?:[$#] \S|[\w.$"'-]+\s?[:+]?=(?:$|\s?\S*$|\s?["'].*["']$)|\[[\w.:*-]+(?: [\w.:*-]+){0,3}(?<!\.)\]$|[}\])]+(?:[;,]?|\s.*;)$|(?:alter|create|drop) (?:table|index|view|database)\s.*[;(]$|[\w.$"'-][^.!?]*\{$|(?!\d+[.)]\s|[-o]\s)(?=[\w.$"'*-])(?:(?=[^.!?]*;$)[^=(){}*_[\]&<>"]*[=(){}*_[\]&<>"].*|\S*(?: \S+)?;)$|<\/?[a-z][\w-]*(?:\s[^<>@]*)?>(?:.*>)?$|[\d\s.,*+/()=|_-]{3,}$)/i;

/**
 * True for lines that were typed at a prompt, and for lines of code: no line is full, as those of a paragraph are, so that
 * the first word of the next would not have fitted.
 */
export function isTyped(rows: readonly string[]): boolean {
  const [first = ''] = rows;
  if (rows.length === 1) return /^\s*(?:\$ \S|#$)/.test(first);
  if (rows.every((row) => sureLine.test(row))) return true;
  if (!(prompt.test(first) || codeLine.test(first) || /^[^\p{L}\s]\p{L}/u.test(first)))
    return false;
  if (rows.filter((row) => prompt.test(row)).length >= 0.3 * rows.length) return true;
  if (rows.every((row) => comment.test(row))) return true;
  const [command = ''] = first.split(' ');
  if (rows.every((row) => row.startsWith(`${command} `) && !/[.,;]$/.test(row))) return true;
  const sentences = rows.filter((row) => sentence.test(row) && !comment.test(row));
  if (sentences.length >= 0.3 * rows.length) return false;
  const code = rows.filter((row) => codeLine.test(row) || sureLine.test(row));
  return countFull(rows) <= 0.5 * (rows.length - 1) && code.length >= 0.5 * rows.length;
}

/** The number of lines behind which the next one's first word would not have fitted. */
export function countFull(rows: readonly string[]): number {
  const width = rows.reduce((most, row) => Math.max(most, row.length), narrow);
  return rows.filter((row, at) => {
    const [next = ''] = rows[at + 1]?.trim().split(' ') ?? [];
    return at < rows.length - 1 && row.length + 1 + next.length >= width;
  }).length;
}

/** True for a sentence that ends with a colon above the lines that it announces, which are indented. */
export function isLedIn(rows: readonly string[]): boolean {
  const end = rows.findIndex((row, at) => /:$/.test(row) && stepsIn(row, rows[at + 1] ?? ''));
  const lead = rows.slice(0, end + 1);
  return (
    /^\s*\p{Lu}\p{L}*,?(?: \S+){3}/u.test(lead.join(' ')) && !lead.some((row) => codeLine.test(row))
  );
}

/** True for a short line above deeper ones that explain it in sentences. */
export function isExplained([first = '', ...others]: readonly string[]): boolean {
  const left = first.search(/\S/);
  const end = others.findIndex((row) => row === '' || row.search(/\S/) < left + 2);
  const text = (end < 0 ? others : others.slice(0, end)).map((row) => row.trim()).join(' ');
  const isOption = /^\s*--?\w/.test(first) && /^\p{Lu}\S* \S/u.test(text);
  const isSentence = isOption || (/^\p{Lu}[\p{L}'’]*[ :.]/u.test(text) && /[.:!?)]$/.test(text));
  return (
    first.length < narrow &&
    !/[:;{}=,.]$|^\s*[$%] /.test(first) &&
    isSentence &&
    !/[;{}=]/.test(text)
  );
}

/** True for a row of a drawing: signs that lines are drawn with, and few letters. */
export function isFigure(row: string): boolean {
  const signs = row.match(/[|+_=\\/<>.^-]/g)?.length ?? 0;
  return signs >= 3 && signs > (row.match(/[\p{L}\p{N}]/gu)?.length ?? 0);
}

/** True for lines of numbers or signs, or of columns, whose places matter: data, drawings and tables. */
export function isDrawn(rows: readonly string[]): boolean {
  if (rows.length < 2) return false;
  const text = rows.join('');
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 0.4 * text.replaceAll(/\s/g, '').length) return true;
  return rows.length >= 3 && hasColumn(rows);
}

/** True for lines of which most have a word at the same place, with blanks before it. */
function hasColumn(rows: readonly string[]): boolean {
  const parted = rows.flatMap((row) =>
    /\S {2,}(?=\S)/.exec(row) === null ? [] : [row.search(/(?<=\S {2,})\S/)],
  );
  if (parted.length < 0.4 * rows.length) return false;
  const [column = 0] = parted.sort(
    (a, b) => parted.filter((one) => one === b).length - parted.filter((one) => one === a).length,
  );
  const lined = rows.filter(
    (row) =>
      row.search(/\S/) > column ||
      (row[column - 1] === ' ' && (row[column] ?? ' ') !== ' ') ||
      // An empty cell.
      row.slice(column - 2, column + 2) === '    ',
  );
  return lined.length >= 0.8 * rows.length;
}

/** The number of braces that lines leave open. */
export function openBraces(rows: readonly string[]): number {
  const text = rows.join('');
  return (text.match(/\{/g)?.length ?? 0) - (text.match(/\}/g)?.length ?? 0);
}

/** True for indented lines that are sentences. `announced`: the words above end with a colon, as above listings. */
export function isProse(rows: readonly string[], announced: boolean): boolean {
  const text = rows.join('\n');
  const words = text.match(/\p{L}+/gu)?.length ?? 0;
  const signs = text.match(/[{}[\]<>=;$|\\_#]/g)?.length ?? 0;
  if (!announced && signs === 0 && words >= 4 && /^\s*\p{Lu}[^]*\p{Ll}[.!?]$/u.test(text))
    return true;
  if (words <= 12 || signs >= 0.1 * words) return false;
  const hasEnd = /[.!?][)"”»]?$/m.test(text);
  const filled = rows.filter((row) => row !== '');
  return hasEnd && (!announced || (words > 25 && countFull(filled) >= 0.5 * (filled.length - 1)));
}

/** `Package: name`: the line of a mail's head or of a file, not a sentence. */
export function isField(line: string): boolean {
  return /^\s*[\w-]+:\s+\S+(?:\s\S+){0,4}$/.test(line) && !/[.!?]$/.test(line);
}

/** True for a line that begins something of its own directly below a line of a sentence: a listing. */
export function stepsIn(above: string, line: string): boolean {
  const step = line.search(/\S/) - above.search(/\S/);
  return step >= 2 && (/[:：]$/.test(above) || /^\s*[$#] \S/.test(line));
}
