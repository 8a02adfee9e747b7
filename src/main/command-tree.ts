import type { Command, Option } from 'commander';
import { answerOf, examplesOf } from '../platform/cli/cli.js';

/** A command, for descriptions outside its own help. */
export interface CommandNode {
  /** The words after the program's name: `knowledge list`. */
  path: string;
  description: string;
  /** In the form of the help: `<file|folder>`. */
  parameters: { usage: string; description: string; isFile: boolean; values: string[] }[];
  options: OptionNode[];
  examples: readonly string[];
  /** The description of its --json output; undefined without one. */
  answer: string | undefined;
  commands: CommandNode[];
}

export interface OptionNode {
  /** In the form of the help: `--limit <number>`. */
  flags: string;
  name: string;
  description: string;
  takesValue: boolean;
  isFile: boolean;
  /** The only allowed values; empty when others are allowed. */
  values: string[];
  /** The default as JSON; undefined without one. */
  byDefault: string | undefined;
}

/** The tree of commands below a program, each with its own options. The program's options apply to all. */
export function treeOf(command: Command, above = ''): CommandNode {
  return {
    path: above,
    description: command.description(),
    parameters: command.registeredArguments.map((argument) => {
      const name = `${argument.name()}${argument.variadic && !argument.name().endsWith('...') ? '...' : ''}`;
      return {
        usage: argument.required ? `<${name}>` : `[${name}]`,
        description: argument.description,
        isFile: namesFile(name),
        values: [...(argument.argChoices ?? valuesOf(argument.parseArg))],
      };
    }),
    options: command.createHelp().visibleOptions(command).map(describe),
    examples: examplesOf(command),
    answer: answerOf(command),
    commands: command
      .createHelp()
      .visibleCommands(command)
      // commander adds it to each group.
      .filter((one) => one.name() !== 'help')
      .map((one) => treeOf(one, `${above} ${one.name()}`.trim())),
  };
}

/** Every runnable command of the tree, in its order. */
export function allCommands(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(allCommands)];
}

function describe(option: Option): OptionNode {
  const takesValue = option.required || option.optional;
  const { defaultValue: value } = option as { defaultValue: unknown };
  return {
    flags: option.flags,
    name: option.long ?? option.short ?? option.flags,
    description: option.description,
    takesValue,
    isFile: takesValue && namesFile(option.flags),
    values: [...(option.argChoices ?? valuesOf(option.parseArg))],
    byDefault: value === undefined || !takesValue ? undefined : JSON.stringify(value),
  };
}

/** The allowed words of a oneOf() parser. */
function valuesOf(read: unknown): string[] {
  if (typeof read !== 'function' || !('allowed' in read)) return [];
  return Array.isArray(read.allowed) ? read.allowed.map(String) : [];
}

function namesFile(usage: string): boolean {
  return /[<|](?:file|folder|glob)|^(?:file|folder|glob|.*\.jsonl)\b/.test(usage);
}
