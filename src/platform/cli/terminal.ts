import type { Readable, Writable } from 'node:stream';
import { AppError } from '../errors.js';
import { printable, safeJson } from '../text/printable.js';

/** The streams of a process, as far as commands use them. Replaced in tests. */
export interface Terminal {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean; columns?: number };
}

/** Whether a person sits there who can be asked. */
export function isInteractive(terminal: Terminal): boolean {
  return terminal.stdin.isTTY === true && terminal.stderr.isTTY === true;
}

const bars = new WeakMap<Writable, () => void>();

/** Has what is said next take a bar away that stands on a stream: the two would share a line. */
export function clearBefore(stream: Writable, clear: () => void): void {
  bars.set(stream, clear);
}

/** Takes a bar away, where one stands, before something is said on the same terminal. */
export function clearBar({ stderr }: Pick<Terminal, 'stderr'>): void {
  bars.get(stderr)?.();
}

/** What a command may say. Results go to standard output, all else to standard error. */
export interface Output {
  readonly json: boolean;
  readonly quiet: boolean;
  /** The command's one answer: a JSON document with --json, else the text. */
  result(document: object, text: string): void;
  /** One of many answers that come one by one: a JSON line with --json, else the text. */
  line(document: object, text: string): void;
  /** Something for the person at hand, not for the program that reads the result. Silent with --quiet. */
  note(text: string): void;
  /** Keeps notes back while a line is being written that they would tear apart; the function returned gives them. */
  hold(): () => void;
  /** A remark for as long as something lasts, on a terminal alone; the function that is returned takes it back. */
  passing(text: string): () => void;
  /** Columns that a table may take: without end where no terminal shows it. */
  readonly width: number;
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
    clearBar(terminal);
    terminal.stderr.write(`${printable(text)}\n`);
  };
  return {
    json: options.json,
    quiet: options.quiet,
    result: (document, text) => write(document, text, 2),
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

/** Columns of a terminal: 80 where it does not know them, which it tells as 0; undefined of what is no terminal. */
export function widthOf(stream: { isTTY?: boolean; columns?: number }): number | undefined {
  if (stream.columns !== undefined && stream.columns > 0) return stream.columns;
  return stream.isTTY === true ? 80 : undefined;
}

/** A value that was not given, and that nobody is there to be asked for. */
export function missingValue(option: string, what: string): AppError {
  return new AppError(
    'usage',
    `${what} is missing: give ${option}. (Without a terminal nothing is asked.)`,
  );
}
