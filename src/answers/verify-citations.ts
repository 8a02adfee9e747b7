import { readCitations } from './citation-marks.js';

/** Reads a model's text as it comes, and passes on what is sure by then. */
export interface CitationStream {
  push(text: string): void;
  /** Passes on the rest. `cited` are the passages' numbers as the model was given them, [1] of the text first. */
  end(): { text: string; cited: number[] };
  /** Those cited so far. */
  readonly cited: readonly number[];
}

const fence = '```';

/**
 * Citations that hold, in a text whose beginning and end are trimmed: numbers that name none of the `count` passages
 * are removed, the others renumbered in the order of their first use and written as [1][2], however the model writes
 * them. None is a link: what the model makes of a citation is no source. Code is passed over: argv[2] cites nothing,
 * and must stay a command that runs. However the text is cut into pieces, what is emitted is the same when joined.
 */
export function createCitationStream(count: number, emit: (text: string) => void): CitationStream {
  const cited: number[] = [];
  let waiting = '';
  let fenced = false;
  let text = '';
  /** White space that is passed on only when something follows it. */
  let space = '';

  function say(part: string): void {
    const body = part.trimEnd();
    if (body === '') {
      space += part;
      return;
    }
    const said = text === '' ? body.trimStart() : space + body;
    space = part.slice(body.length);
    text += said;
    emit(said);
  }

  function marksOf(numbers: number[]): string {
    const valid = [...new Set(numbers)].filter((number) => number >= 1 && number <= count);
    const marks = valid.map((number) => {
      if (!cited.includes(number)) cited.push(number);
      return `[${cited.indexOf(number) + 1}]`;
    });
    return marks.join('');
  }

  /** Handles what begins at `at`; answers where it ends, or undefined when more text must tell. */
  function handle(at: number, final: boolean): number | undefined {
    if (fenced) return inFence(at, final);
    const special = nextSpecial(waiting, at);
    if (special > at) {
      say(waiting.slice(at, special));
      return special;
    }
    return waiting[at] === '`' ? atBacktick(at, final) : atBracket(at, final);
  }

  function inFence(at: number, final: boolean): number | undefined {
    const close = waiting.indexOf(fence, at);
    if (close !== -1) {
      fenced = false;
      say(waiting.slice(at, close + fence.length));
      return close + fence.length;
    }
    const end = final
      ? waiting.length
      : waiting.length - (/`{1,2}$/.exec(waiting)?.[0].length ?? 0);
    if (end <= at) return undefined;
    say(waiting.slice(at, end));
    return end;
  }

  function atBacktick(at: number, final: boolean): number | undefined {
    if (waiting.startsWith(fence, at)) {
      fenced = true;
      say(fence);
      return at + fence.length;
    }
    if (!final && waiting.length - at < fence.length && /^`+$/.test(waiting.slice(at))) {
      return undefined;
    }
    const end = /[`\n]/.exec(waiting.slice(at + 1));
    if (end === null && !final) return undefined;
    const length = end?.[0] === '`' ? end.index + 2 : 1;
    say(waiting.slice(at, at + length));
    return at + length;
  }

  function atBracket(at: number, final: boolean): number | undefined {
    let open = at;
    while (waiting[open] === ' ' || waiting[open] === '\t') open += 1;
    if (open === waiting.length && !final) return undefined;
    if (waiting[open] !== '[' && waiting[open] !== '【') {
      say(waiting.slice(at, open));
      return open;
    }
    const before = text + space + waiting.slice(at, open);
    const beginsLine = /^[\s>*+\-\d.)#|]*$/.test(before.slice(before.lastIndexOf('\n') + 1));
    const how = { beginsLine, before: before.slice(-1), final, count };
    const run = readCitations(waiting, open, how);
    if (run === undefined) return undefined;
    if (run === null) {
      say(waiting.slice(at, open + 1));
      return open + 1;
    }
    const marks = run.isDefinition ? '' : marksOf(run.numbers);
    if (marks !== '') say(`${open > at ? ' ' : ''}${marks}`);
    // What stood around it would make one of what is left: [2[9]].
    else if (/[[【][\s\d^,;†–—-]*$/.test(before)) say('…');
    if (run.closers !== '') say(run.closers);
    // A target that could not be read, the name of one, or a colon behind an earlier mark makes no link behind a space.
    const apart = marks === '' && text.endsWith(']') ? /^\]*(?=[([:])/ : /^\]*(?=[([])/;
    const closing = apart.exec(waiting.slice(run.end))?.[0];
    if (closing !== undefined) say(`${closing} `);
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
      return { text, cited };
    },
    cited,
  };
}

/** A whole text with citations that hold, as createCitationStream has it. */
export function verifyCitations(text: string, count: number): { text: string; cited: number[] } {
  const stream = createCitationStream(count, () => undefined);
  stream.push(text);
  return stream.end();
}

function nextSpecial(text: string, from: number): number {
  const special = /[`[【 \t]/g;
  special.lastIndex = from;
  return special.exec(text)?.index ?? text.length;
}
