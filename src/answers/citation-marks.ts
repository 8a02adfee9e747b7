/** Citations in a row, as a model writes them. */
export interface CitationRun {
  /** As the model was given them: what it counts up by a range, too. */
  numbers: number[];
  /** Brackets that close behind them what was opened before. */
  closers: string;
  /** Where it ends in the text. */
  end: number;
  /** It is a definition of Markdown, `[1]: address`, which would make a link of every [1]. */
  isDefinition: boolean;
}

const number = String.raw`\^?\d{1,3}`;
/** A range from 0 is none of passages: [0-9] is a digit. */
const item = String.raw`(?!0+\s*[-–—])${number}(?:\s*[-–—]\s*${number})?`;
/** [1], [1, 2], [1-3], [^1], [ 1 ], 【1】, 【1†source】 */
const bracket = String.raw`[\[【]\s*${item}(?:\s*[,;]\s*${item})*\s*(?:†[^\]】()\n]{0,40})?[\]】]`;
const brackets = String.raw`${bracket}(?:(?:\s*[,;])?\s*${bracket})*`;
const element = new RegExp(
  String.raw`\[\s*\[\s*${brackets}\s*\]\s*\]|\[\s*${brackets}\s*\]|${bracket}`,
  'y',
);
/** A range by itself, as it is of digits too. */
const isRange = new RegExp(String.raw`^[\[\s]*\d{1,3}\s*[-–—]\s*\d{1,3}[\s\]]*$`);
/** What makes a link of brackets. */
const target = /(\]*)\((?:[^()\n]|\([^()\n]*\)){0,2000}\)/y;
const definition =
  /:[ \t]*\n?[ \t]*<?(?:[a-z][a-z\d+.-]*:\S|\/|www\.)\S*(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?/iy;

/** Letters and signs that a row of digits to choose from is glued to: tty[1-3], ^[1-9][0-9]*$, [1-3]+, log[1-4].gz. */
const gluedBefore = /[\p{Script=Latin}\p{N}_\]}^$\\/=@%*+-]$/u;
const gluedBehind =
  /^(?:[\p{Script=Latin}\p{N}_[{+\\/=@%$-]|[.,:*?]{1,4}[\p{Script=Latin}\p{N}_[\\/$])/u;
/** What more text could still glue to something. */
const openGlue = /^[.,:*?]{0,4}$/;

/** More are read as a row of their own: what is open is read anew with every piece that comes. */
const mostInARow = 24;

/** What more text could still make longer. */
const openElement = /^[[【](?:[[\]【】\s\d^,;–—-]|†[^\]】()\n]{0,40})*$/;
const openTarget = /^\]*(?:\((?:[^()\n]|\([^()\n]*\))*(?:\([^()\n]*)?)?$/;
const openDefinition = /^:[ \t]*(?:\n[ \t]*)?[^\n]*$/;

/** Where a bracket stands. */
export interface Surroundings {
  beginsLine: boolean;
  /** What stands directly before it. */
  before: string;
  /** Whether no more text will come. */
  final: boolean;
  /** How many passages there are to cite. */
  count: number;
}

/**
 * The citations that begin at an opening bracket, with the links that the model made of them; undefined where more
 * text must tell, null where there are none. A range by itself is one only where there is a passage for each of its
 * numbers and no word or sign is glued to it: else it speaks of digits, as [9-17] and tty[1-3] do, and stays.
 */
export function readCitations(
  text: string,
  at: number,
  how: Surroundings,
): CitationRun | null | undefined {
  const run: CitationRun = { numbers: [], closers: '', end: at, isDefinition: false };
  let count = 0;
  for (; count < mostInARow; count += 1) {
    const found = matchAt(element, text, run.end);
    if (found === undefined) break;
    const end = run.end + found[0].length;
    if (isRange.test(found[0])) {
      const rest = text.slice(end);
      if (!how.final && openGlue.test(rest)) return undefined;
      const glued = gluedBehind.test(rest) && matchAt(target, text, end) === undefined;
      if (glued || (count === 0 && gluedBefore.test(how.before))) break;
      if (numbersIn(found[0]).some((number) => number > how.count)) break;
    }
    run.numbers.push(...numbersIn(found[0], how.count));
    run.end = end;
    const link = matchAt(target, text, run.end);
    run.closers += link?.[1] ?? '';
    run.end += link?.[0].length ?? 0;
  }
  const isNone = run.end === at;
  const rest = text.slice(run.end);
  if (!how.final && (openElement.test(rest) || (!isNone && openTarget.test(rest))))
    return undefined;
  if (isNone) return null;
  if (!how.beginsLine || !rest.startsWith(':')) return run;
  if (!how.final && openDefinition.test(rest)) return undefined;
  const defined = matchAt(definition, text, run.end)?.[0];
  // Without its colons it defines nothing, whatever follows.
  const colons = /^:+/.exec(rest)?.[0] ?? '';
  const end = run.end + (defined ?? colons).length;
  return { ...run, end, isDefinition: defined !== undefined };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** The numbers cited, without ranges that go beyond the highest that there is. */
function numbersIn(run: string, highest = Infinity): number[] {
  const plain = run.replaceAll(/†[^\]】]*/g, '');
  return [...plain.matchAll(/(\d+)(?:\s*[-–—]\s*\^?(\d+))?/g)].flatMap(([, from, to]) => {
    const ends = [Number(from), Number(to ?? from)];
    const [first, last] = [Math.min(...ends), Math.max(...ends)];
    if (to !== undefined && last > highest) return [];
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
