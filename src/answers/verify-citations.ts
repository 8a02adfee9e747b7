/** Reads a model's text as it arrives and emits the part that is certain. */
export interface CitationStream {
  push(text: string): void;
  /** Emits the rest. `cited` are the passages by their numbers in the prompt; [1] of the text first. */
  end(): { text: string; cited: number[] };
  /** The passages cited so far. */
  readonly cited: readonly number[];
}

const fence = '```';

/**
 * Verifies the citations in a text, and trims the text. Numbers of no passage (1 to `count`) are removed; the others
 * are renumbered by first use and written as [1][2], whatever form the model used. Links around citations are removed:
 * a link made by the model is no source. Code is skipped: argv[2] cites nothing, and the command must still run. The
 * emitted text does not depend on how the text is cut into pieces.
 */
export function createCitationStream(count: number, emit: (text: string) => void): CitationStream {
  const said = createTrimmedText(emit);
  const cited: number[] = [];
  let waiting = '';
  let fenced = false;

  function marksOf(numbers: number[]): string {
    const valid = [...new Set(numbers)].filter((number) => number >= 1 && number <= count);
    const marks = valid.map((number) => {
      if (!cited.includes(number)) cited.push(number);
      return `[${cited.indexOf(number) + 1}]`;
    });
    return marks.join('');
  }

  /** Handles the text at `at` and returns its end; undefined when more text is needed. */
  function handle(at: number, final: boolean): number | undefined {
    if (fenced) return inFence(at, final);
    const special = nextSpecial(waiting, at);
    if (special > at) {
      said.say(waiting.slice(at, special));
      return special;
    }
    return waiting[at] === '`' ? atBacktick(at, final) : atBracket(at, final);
  }

  function inFence(at: number, final: boolean): number | undefined {
    const close = waiting.indexOf(fence, at);
    if (close !== -1) {
      fenced = false;
      said.say(waiting.slice(at, close + fence.length));
      return close + fence.length;
    }
    const end = final
      ? waiting.length
      : waiting.length - (/`{1,2}$/.exec(waiting)?.[0].length ?? 0);
    if (end <= at) return undefined;
    said.say(waiting.slice(at, end));
    return end;
  }

  function atBacktick(at: number, final: boolean): number | undefined {
    if (waiting.startsWith(fence, at)) {
      fenced = true;
      said.say(fence);
      return at + fence.length;
    }
    const length = lengthOfCode(waiting.slice(at), final);
    if (length === undefined) return undefined;
    said.say(waiting.slice(at, at + length));
    return at + length;
  }

  function atBracket(at: number, final: boolean): number | undefined {
    let open = at;
    while (waiting[open] === ' ' || waiting[open] === '\t') open += 1;
    if (open === waiting.length && !final) return undefined;
    if (waiting[open] !== '[' && waiting[open] !== '【') {
      said.say(waiting.slice(at, open));
      return open;
    }
    const before = said.withSpace() + waiting.slice(at, open);
    const beginsLine = /^[\s>*+\-\d.)#|]*$/.test(before.slice(before.lastIndexOf('\n') + 1));
    const how = { beginsLine, before: before.slice(-1), final, count };
    const run = readCitations(waiting, open, how);
    if (run === undefined) return undefined;
    if (run === null) {
      said.say(waiting.slice(at, open + 1));
      return open + 1;
    }
    const marks = run.isDefinition ? '' : marksOf(run.numbers);
    if (marks !== '') said.say(`${open > at ? ' ' : ''}${marks}`);
    // Surrounding brackets would create a citation from the rest: [2[9]].
    else if (/[[【][\s\d^,;†–—-]*$/.test(before)) said.say('…');
    // Backticks that come together would begin or end other code: ``[9]````.
    else if (said.withSpace().endsWith('`') && waiting[run.end] === '`') said.say(' ');
    if (run.closers !== '') said.say(run.closers);
    // An unreadable target, its name, or a colon after an earlier mark makes no link after a space.
    const apart = marks === '' && said.text().endsWith(']') ? /^\]*(?=[([:])/ : /^\]*(?=[([])/;
    const closing = apart.exec(waiting.slice(run.end))?.[0];
    if (closing !== undefined) said.say(`${closing} `);
    return run.end + (closing?.length ?? 0);
  }

  function read(final: boolean): void {
    let at = 0;
    while (at < waiting.length) {
      const next = handle(at, final);
      if (next === undefined) break;
      at = next;
    }
    waiting = waiting.slice(at);
  }

  return {
    push(part) {
      waiting += part;
      read(false);
    },
    end() {
      read(true);
      return { text: said.text(), cited };
    },
    cited,
  };
}

/** Passes on a text piece by piece, without the white space at its beginning and its end. */
function createTrimmedText(emit: (text: string) => void) {
  let text = '';
  /** White space that is emitted only when something follows. */
  let space = '';
  return {
    text: () => text,
    withSpace: () => text + space,
    say(part: string): void {
      const body = part.trimEnd();
      if (body === '') {
        space += part;
        return;
      }
      const said = text === '' ? body.trimStart() : space + body;
      space = part.slice(body.length);
      text += said;
      emit(said);
    },
  };
}

/**
 * The length of the inline code at the beginning of the text, or of its backtick alone. Undefined when more text is
 * needed to decide.
 */
function lengthOfCode(text: string, final: boolean): number | undefined {
  if (!final && text.length < fence.length && /^`+$/.test(text)) return undefined;
  const end = /[`\n]/.exec(text.slice(1));
  if (end === null && !final) return undefined;
  return end?.[0] === '`' ? end.index + 2 : 1;
}

function nextSpecial(text: string, from: number): number {
  const special = /[`[【 \t]/g;
  special.lastIndex = from;
  return special.exec(text)?.index ?? text.length;
}

/** Consecutive citations in a model's text. */
interface CitationRun {
  /** The numbers in the prompt, with ranges expanded. */
  numbers: number[];
  /** Brackets after the run that close earlier ones. */
  closers: string;
  /** The end of the run in the text. */
  end: number;
  /** A Markdown definition, `[1]: address`, which would make every [1] a link. */
  isDefinition: boolean;
}

const number = String.raw`\^?\d{1,3}`;
/** A range from 0 is not of passages: [0-9] is a digit. */
const item = String.raw`(?!0+\s*[-–—])${number}(?:\s*[-–—]\s*${number})?`;
/** [1], [1, 2], [1-3], [^1], [ 1 ], 【1】, 【1†source】 */
const bracket = String.raw`[\[【]\s*${item}(?:\s*[,;]\s*${item})*\s*(?:†[^\]】()\n]{0,40})?[\]】]`;
const brackets = String.raw`${bracket}(?:(?:\s*[,;])?\s*${bracket})*`;
const element = new RegExp(
  String.raw`\[\s*\[\s*${brackets}\s*\]\s*\]|\[\s*${brackets}\s*\]|${bracket}`,
  'y',
);
/** A single range, which may also mean digits. */
const isRange = new RegExp(String.raw`^[\[\s]*\d{1,3}\s*[-–—]\s*\d{1,3}[\s\]]*$`);
/** A link target after brackets. */
const target = /(\]*)\((?:[^()\n]|\([^()\n]*\)){0,2000}\)/y;
const definition =
  /:[ \t]*\n?[ \t]*<?(?:[a-z][a-z\d+.-]*:\S|\/|www\.)\S*(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?/iy;

/** Letters and signs that a character class is attached to: tty[1-3], ^[1-9][0-9]*$, [1-3]+, log[1-4].gz. */
const gluedBefore = /[\p{Script=Latin}\p{N}_\]}^$\\/=@%*+-]$/u;
const gluedBehind =
  /^(?:[\p{Script=Latin}\p{N}_[{+\\/=@%$-]|[.,:*?]{1,4}[\p{Script=Latin}\p{N}_[\\/$])/u;
/** Text that further text may still attach to something. */
const openGlue = /^[.,:*?]{0,4}$/;

/** More citations count as a separate run: an open run is read again with every new piece. */
const mostInARow = 24;

/** Text that further text may still extend. */
const openElement = /^[[【](?:[[\]【】\s\d^,;–—-]|†[^\]】()\n]{0,40})*$/;
const openTarget = /^\]*(?:\((?:[^()\n]|\([^()\n]*\))*(?:\([^()\n]*)?)?$/;
const openDefinition = /^:[ \t]*(?:\n[ \t]*)?[^\n]*$/;

interface Surroundings {
  beginsLine: boolean;
  /** The text directly before it. */
  before: string;
  /** True when no more text will come. */
  final: boolean;
  /** The number of passages. */
  count: number;
}

/**
 * The citations that begin at an opening bracket, with the model's links; undefined when more text is needed, null when
 * there are none. A single range is a citation only if every number has a passage and no word or sign is attached:
 * otherwise it means digits, as in [9-17] and tty[1-3], and stays.
 */
function readCitations(
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

/** The cited numbers, without ranges beyond the highest passage. */
function numbersIn(run: string, highest = Infinity): number[] {
  const plain = run.replaceAll(/†[^\]】]*/g, '');
  return [...plain.matchAll(/(\d+)(?:\s*[-–—]\s*\^?(\d+))?/g)].flatMap(([, from, to]) => {
    const ends = [Number(from), Number(to ?? from)];
    const [first, last] = [Math.min(...ends), Math.max(...ends)];
    if (to !== undefined && last > highest) return [];
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
