import type { Readable, Writable } from 'node:stream';
import { AppError } from '../errors.js';
import { wrapText } from './columns.js';
import { printable, safeJson } from '../text/printable.js';

/** The streams of a process that commands use. Replaced in tests. */
export interface Terminal {
  stdin: Readable & { isTTY?: boolean; isRaw?: boolean; setRawMode?: (isRaw: boolean) => unknown };
  stdout: Writable & { isTTY?: boolean; columns?: number; rows?: number };
  stderr: Writable & { isTTY?: boolean; columns?: number };
}

/** True when a person at the terminal can answer prompts. */
export function isInteractive(terminal: Terminal): boolean {
  return terminal.stdin.isTTY === true && terminal.stderr.isTTY === true;
}

/** Aborts with `interrupted`, and when the reader of the result has gone (`| head`): nobody would end the display then. */
export function displayEnd({ stdout }: Pick<Terminal, 'stdout'>, interrupted: AbortSignal) {
  const left = new AbortController();
  stdout.once('error', () => left.abort());
  return AbortSignal.any([interrupted, left.signal]);
}

const bars = new WeakMap<Writable, () => void>();

/** Makes the next output on this stream remove the progress bar first: the two would share a line. */
export function clearBefore(stream: Writable, clear: () => void): void {
  bars.set(stream, clear);
}

/** Removes the progress bar, if any, before other output on the same terminal. */
export function clearBar({ stderr }: Pick<Terminal, 'stderr'>): void {
  bars.get(stderr)?.();
}

/** Writes a text for a person to standard error. On a terminal, its lines break between words, and not in commands. */
export function tell(terminal: Pick<Terminal, 'stderr'>, text: string): void {
  const { stderr } = terminal;
  clearBar(terminal);
  const columns = stderr.isTTY === true ? stderr.columns : undefined;
  stderr.write(`${wrapText(printable(text), columns)}\n`);
}

const unfinished = new WeakMap<Writable, (rest: object) => void>();

/** Ends the JSON document that was begun on standard output, if any, with these last fields. */
export function endDocument({ stdout }: Pick<Terminal, 'stdout'>, rest: object): boolean {
  const end = unfinished.get(stdout);
  unfinished.delete(stdout);
  end?.(rest);
  return end !== undefined;
}

/** The output of a command. Results go to standard output, all other text to standard error. */
export interface Output {
  readonly json: boolean;
  readonly quiet: boolean;
  /** The command's single result: a JSON document with --json, else the text. */
  result(document: object, text: string): void;
  /**
   * Writes the command's single result in pieces: a list arrives item by item and is not held in memory. Only with
   * --json; otherwise nothing is written. If an error follows, it becomes the field `error` of the begun document.
   */
  document(first: object, list: string): GrowingDocument;
  /** One of several results that arrive one by one: a JSON line with --json, else the text. */
  line(document: object, text: string): void;
  /** A remark for the person at the terminal, not part of the result. Silent with --quiet. */
  note(text: string): void;
  /**
   * Holds back notes while a line is being written, so that they do not split it. Returns a function to release them.
   */
  hold(): () => void;
  /** A temporary remark, shown only on a terminal. The returned function removes it. */
  passing(text: string): () => void;
  /** The columns that a table may take; Infinity when the output is no terminal. */
  readonly width: number;
}

export interface GrowingDocument {
  /** Writes the next item of the list. */
  add(item: object): void;
  /** Writes the fields after the list. */
  end(rest: object): void;
}

export function createOutput(
  terminal: Terminal,
  options: { json: boolean; quiet: boolean },
): Output {
  const write = (document: object, text: string, indent?: number) => {
    const out = options.json ? safeJson(document, indent) : printable(text);
    if (out === '') return;
    if (terminal.stdout.isTTY === true) clearBar(terminal);
    terminal.stdout.write(`${out}\n`);
  };
  let held: string[] | undefined;
  const note = (text: string) => {
    if (options.quiet) return;
    if (held !== undefined) {
      held.push(text);
      return;
    }
    tell(terminal, text);
  };
  return {
    json: options.json,
    quiet: options.quiet,
    result: (document, text) => write(document, text, 2),
    document: (first, list) => growing(terminal, options.json, { first, list }),
    line: (document, text) => write(document, text),
    note,
    hold() {
      const own: string[] = [];
      held = own;
      return () => {
        if (held === own) held = undefined;
        own.splice(0).forEach(note);
      };
    },
    passing(text) {
      if (options.quiet || terminal.stderr.isTTY !== true) return () => undefined;
      terminal.stderr.write(text);
      return () => terminal.stderr.write('\r\u001b[K');
    },
    width: widthOf(terminal.stdout) ?? Infinity,
  };
}

/** Writes the same text as a whole document would be. Nothing is written before the first item. */
function growing(
  terminal: Terminal,
  isWanted: boolean,
  { first, list }: { first: object; list: string },
): GrowingDocument {
  const { stdout } = terminal;
  if (!isWanted) return { add: () => undefined, end: () => undefined };
  const indent = ' '.repeat(4);
  let isEmpty = true;
  const finish = (rest: object) => {
    const fields = safeJson(rest, 2).slice(1);
    stdout.write(`\n  ]${fields === '}' ? '\n}' : `,${fields}`}\n`);
  };
  return {
    add(item) {
      if (stdout.isTTY === true) clearBar(terminal);
      if (isEmpty) {
        const start = safeJson({ ...first, [list]: [] }, 2).slice(0, -']\n}'.length);
        stdout.write(start);
        unfinished.set(stdout, finish);
      }
      const text = safeJson(item, 2).replaceAll('\n', `\n${indent}`);
      stdout.write(`${isEmpty ? '' : ','}\n${indent}${text}`);
      isEmpty = false;
    },
    end(rest) {
      if (endDocument(terminal, rest)) return;
      stdout.write(`${safeJson({ ...first, [list]: [], ...rest }, 2)}\n`);
    },
  };
}

/** Columns of a terminal: 80 when the terminal reports 0. Undefined when the stream is no terminal. */
export function widthOf(stream: { isTTY?: boolean; columns?: number }): number | undefined {
  if (stream.columns !== undefined && stream.columns > 0) return stream.columns;
  return stream.isTTY === true ? 80 : undefined;
}

/** The error for a missing value when nobody can be asked. */
export function missingValue(option: string, what: string): AppError {
  return new AppError(
    'usage',
    `${what} is missing: give ${option}. (Without a terminal nothing is asked.)`,
  );
}
