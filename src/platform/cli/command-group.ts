import type { Command } from 'commander';
import type { Page, Paged } from '../db/select-page.js';
import type { MayLack } from '../config/load-config.js';
import { wholeNumber } from './arguments.js';
import type { App } from '../app.js';
import { AppError } from '../errors.js';
import type { Wanted } from '../find-named.js';
import { carryOut, type Consent, type Told } from './carry-out.js';
import {
  withAnswer,
  withExamples,
  type Cli,
  type ConfigSession,
  type ExitCode,
  type Operator,
  type PlainSession,
  type Session,
} from './cli.js';
import { table, type Column } from './table.js';

/** The arguments of commander's option(): flags, description, reader, default. */
export type Option = readonly [
  flags: string,
  description: string,
  read?: ((text: string, before: never) => unknown) | undefined,
  byDefault?: unknown,
];
export type Argument = readonly [
  usage: string,
  description: string,
  read?: (text: string) => unknown,
];

/** How people may name a record on the command line, as findNamed accepts it. */
export const named = 'number, name, or the beginning of the name';

interface Described {
  /** The verb, e.g. `create`. */
  name: string;
  /** Former names of the command. They still work, but no help text shows them. */
  formerly?: readonly string[];
  description: string;
  arguments?: readonly Argument[];
  options?: readonly Option[];
  /** The --json output. Scripts rely on it, so the help describes it below the examples. */
  answer: string;
  examples: readonly string[];
  /** For commands that change something (see carryOut). Both offer --dry-run; `asks` also asks before a deletion. */
  consent?: 'rehearses' | 'asks';
}

interface Runs<S, O, A extends unknown[]> extends Described {
  /** `options` includes the program's own options. */
  run: (session: S, options: O, ...given: A) => Promise<ExitCode>;
}

interface Lists<T, O, A extends unknown[]> extends Omit<Described, 'name' | 'answer' | 'consent'> {
  name?: string;
  /** The plural noun, e.g. `keys`. */
  things: string;
  /** Printed for an empty list: how to create the first item. */
  first?: string;
  load: (session: Session, options: O & Page, ...given: A) => Promise<Listed<T>>;
  columns: Column<T>[];
}

interface Listed<T> extends Paged<T> {
  /** An item in the form that the API returns. */
  present: (item: T) => unknown;
  notes?: string[];
}

interface Changes<X, T> extends Omit<Described, 'arguments' | 'options' | 'consent'> {
  argument: Argument;
  find: (app: App, actor: Operator, called: string, wanted: Wanted) => Promise<X>;
  /** The question before a deletion. */
  asks?: (item: X) => string;
  work: (app: App, actor: Operator, item: X) => Promise<T>;
  tell: (done: T, item: X) => Told | Promise<Told>;
}

/** Options that do not filter the list. */
const ofEveryList = new Set(['page', 'limit', 'json', 'quiet', 'config', 'org']);

/** The largest --limit of a list. */
const mostPerPage = 1000;

/** The commands below one word of the command line, e.g. `assistant keys …`, or of the program itself. */
export class CommandGroup {
  constructor(
    readonly command: Command,
    readonly cli: Cli,
  ) {}

  group(name: string, description: string): CommandGroup {
    return new CommandGroup(this.command.command(name).description(description), this.cli);
  }

  /** Adds a command that works with the application. Returns the group of its subcommands. */
  add<O, A extends unknown[]>({ name, run, ...described }: Runs<Session, O, A>): CommandGroup {
    const command = this.describe(name, described).action((...all: unknown[]) => {
      const { self, options, given } = readAction<O, A>(all);
      return this.cli.withApp(self, (session) => run(session, options, ...given));
    });
    return new CommandGroup(command, this.cli);
  }

  /** Adds a command that needs only the configuration. `mayLack`: as of `Cli.withConfig`. */
  addConfig<O, A extends unknown[]>({
    name,
    run,
    mayLack,
    ...described
  }: Runs<ConfigSession, O, A> & { mayLack?: MayLack }): CommandGroup {
    const command = this.describe(name, described).action((...all: unknown[]) => {
      const { self, options, given } = readAction<O, A>(all);
      const action = (session: ConfigSession) => run(session, options, ...given);
      return this.cli.withConfig(self, action, mayLack === undefined ? {} : { mayLack });
    });
    return new CommandGroup(command, this.cli);
  }

  /** Adds a command that must work without a valid configuration. */
  addPlain<O, A extends unknown[]>({
    name,
    run,
    ...described
  }: Runs<PlainSession, O, A>): CommandGroup {
    const command = this.describe(name, described).action((...all: unknown[]) => {
      const { self, options, given } = readAction<O, A>(all);
      return this.cli.withTerminal(self, (session) => run(session, options, ...given));
    });
    return new CommandGroup(command, this.cli);
  }

  /**
   * Adds a list with --page and --limit. People get a table and a remark on how much of the list is shown. --json
   * prints `{data: […], pagination: {total, page, limit}}`.
   */
  list<T, O, A extends unknown[]>({ load, options = [], ...list }: Lists<T, O, A>): void {
    const { name = 'list', things, first, columns, ...described } = list;
    const paging: Option[] = [
      ['--page <number>', 'from 1', wholeNumber('--page', 1, 1_000_000), 1],
      [
        '--limit <number>',
        `${things} per page, at most ${mostPerPage}`,
        wholeNumber('--limit', 1, mostPerPage),
        50,
      ],
    ];
    this.add({
      ...described,
      name,
      options: [...options, ...paging],
      answer: '{data: [...], pagination: {total, page, limit}}; items in the form of the API',
      async run(session, given: O & Page, ...rest: A) {
        const { items, total, present, notes = [] } = await load(session, given, ...rest);
        const { page, limit } = given;
        const { out } = session;
        const document = { data: items.map(present), pagination: { total, page, limit } };
        out.result(document, items.length === 0 ? '' : table(columns, items, out.width));
        const more = page * limit < total ? `; the next: --page ${page + 1}` : '';
        const isFiltered = Object.keys(given).some((option) => !ofEveryList.has(option));
        const hint = first === undefined || isFiltered ? '' : ` ${first}`;
        if (total > 0) out.note(`${items.length} of ${total} ${things}${more}`);
        else out.note(`There are no ${things}${isFiltered ? ' that match' : ''}.${hint}`);
        for (const note of notes) out.note(note);
        return 0;
      },
    });
  }

  /** Adds a command that changes one named record and needs no other input: delete, revoke, disable … */
  change<X, T>({ argument, find, asks, work, tell, ...described }: Changes<X, T>): void {
    this.add({
      ...described,
      arguments: [argument],
      consent: asks === undefined ? 'rehearses' : 'asks',
      async run(session, options: Consent, called: string) {
        const { actor } = session;
        const item = await find(session.app, actor, called, { whole: options.yes });
        return carryOut(session, options, {
          ...(asks === undefined ? {} : { question: asks(item) }),
          work: (app) => work(app, actor, item),
          tell: (done) => tell(done, item),
        });
      },
    });
  }

  /** Creates a command with its complete help. The caller adds the action. */
  describe(name: string, described: Omit<Described, 'name'>): Command {
    const { formerly = [], consent, answer, examples } = described;
    const command = this.command.command(name);
    command.description(described.description).aliases([...formerly]);
    for (const [usage, about, read] of described.arguments ?? []) {
      const reader = read ?? (namesFile.test(usage) ? filled(usage) : undefined);
      if (reader === undefined) command.argument(usage, about);
      else command.argument(usage, about, reader);
    }
    for (const [flags, about, read, byDefault] of described.options ?? []) {
      const reader = read ?? (namesFile.test(flags) ? filled(flags) : undefined);
      if (reader === undefined) command.option(flags, about, byDefault as string | undefined);
      else command.option(flags, about, reader as (text: string) => unknown, byDefault);
    }
    if (consent === 'asks') command.option('--yes', 'do not ask');
    if (consent !== undefined) command.option('--dry-run', dryRunHelp);
    return withExamples(withAnswer(command, answer), ...examples);
  }
}

/** The usage of one file or folder. */
const namesFile = /[<[](?:file|folder|file\|folder|questions\.jsonl)[>\]]$/;

/** An empty name would mean the current folder, and nobody writes it on purpose. */
function filled(usage: string): (text: string) => string {
  return (text) => {
    if (text !== '') return text;
    throw new AppError('usage', `${usage}: the name is empty. Name a file or folder.`);
  };
}

/** Reads commander's action arguments: the command's arguments, its options (with the program's), and the command. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- commander does not know what it has read
function readAction<O, A extends unknown[]>(all: unknown[]) {
  const [, self] = all.splice(-2) as [unknown, Command];
  return { self, options: self.optsWithGlobals() as O, given: all as A };
}

const dryRunHelp = 'show what would happen, and change nothing (dry_run: true with --json)';
