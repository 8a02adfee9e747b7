import type { CommandNode, OptionNode } from './command-tree.js';

/** A word that can complete the line. */
export interface Candidate {
  value: string;
  /** A description, for shells that show one. */
  about: string;
}

/** The possible completions of a line. */
export interface Completion {
  candidates: Candidate[];
  /** True when file names are possible too. */
  files: boolean;
  /** The kind of record that is named here, as the help writes it: `app`, `batch`, `user`. */
  thing: string | undefined;
}

const none: Completion = { candidates: [], files: false, thing: undefined };

/** Completes the last word of a line, which may be empty, by the words before it. */
export function completeWords(program: CommandNode, words: readonly string[]): Completion {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  const { node, given, open } = follow(program, before);
  if (open !== undefined) return startingWith(last, ofOption(open));
  const options = optionsOf(program, node);
  const assigned = /^(--[\w-]+)=(.*)$/.exec(last);
  if (assigned !== null) {
    const [, name = '', text = ''] = assigned;
    const option = options.find((one) => one.name === name);
    const values = startingWith(text, option === undefined ? none : ofOption(option));
    const candidates = values.candidates.map((one) => ({ ...one, value: `${name}=${one.value}` }));
    return { ...values, candidates };
  }
  if (last.startsWith('-')) {
    const candidates = options.map(({ name, description }) => ({
      value: name,
      about: description,
    }));
    return startingWith(last, { ...none, candidates });
  }
  const below = node.commands.map(({ path, description }) => ({
    value: path.split(' ').at(-1) ?? '',
    about: description,
  }));
  if (given === 0 && below.length > 0) return startingWith(last, { ...none, candidates: below });
  const parameter = node.parameters[given] ?? node.parameters.at(-1);
  const isOver =
    parameter === undefined ||
    (given >= node.parameters.length &&
      !parameter.usage.endsWith('...>') &&
      !parameter.usage.endsWith('...]'));
  return isOver
    ? none
    : startingWith(last, { ...valuesFrom(parameter), thing: thingIn(parameter.usage) });
}

/** The value of an option in the line, such as --config. */
export function optionIn(words: readonly string[], name: string): string | undefined {
  const at = words.indexOf(name);
  const assigned = words.find((word) => word.startsWith(`${name}=`));
  return assigned?.slice(name.length + 1) ?? (at === -1 ? undefined : words[at + 1]);
}

interface Place {
  node: CommandNode;
  /** The number of arguments before this one. */
  given: number;
  /** The option whose value comes next. */
  open: OptionNode | undefined;
}

/** Finds the command of a line. The value of an option is no command, even if it has a command's name. */
function follow(program: CommandNode, words: readonly string[]): Place {
  let place: Place = { node: program, given: 0, open: undefined };
  for (const word of words) {
    const { node, given } = place;
    if (place.open !== undefined) {
      place = { node, given, open: undefined };
    } else if (word.startsWith('-') && word !== '-') {
      const option = optionsOf(program, node).find(({ name }) => name === word);
      place = { node, given, open: option?.takesValue === true ? option : undefined };
    } else {
      const below =
        given > 0 ? undefined : node.commands.find(({ path }) => path.split(' ').at(-1) === word);
      place = { node: below ?? node, given: below === undefined ? given + 1 : 0, open: undefined };
    }
  }
  return place;
}

/** The options of a command, then the options that every command takes. */
function optionsOf(program: CommandNode, node: CommandNode): OptionNode[] {
  const own = new Set(node.options.map(({ name }) => name));
  const shared = program.options.filter(({ name }) => name !== '--version' && !own.has(name));
  return node === program ? node.options : [...node.options, ...shared];
}

function ofOption(option: OptionNode): Completion {
  return { ...valuesFrom(option), thing: thingIn(option.flags) };
}

function valuesFrom({ values, isFile }: { values: string[]; isFile: boolean }): Completion {
  return { ...none, candidates: values.map((value) => ({ value, about: '' })), files: isFile };
}

/** `--app <app>` names an app. */
function thingIn(usage: string): string | undefined {
  return /[<[]([a-z]+)(?:\.\.\.)?[>\]]/.exec(usage)?.[1];
}

function startingWith(text: string, completion: Completion): Completion {
  const candidates = completion.candidates.filter(({ value }) => value.startsWith(text));
  return { ...completion, candidates };
}
