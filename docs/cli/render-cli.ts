import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  allCommands,
  treeOf,
  type CommandNode,
  type OptionNode,
} from '../../src/main/command-tree.js';
import { createProgram } from '../../src/main/create-program.js';
import { packageRoot } from '../../src/platform/package-root.js';

/** Where the reference is carried in the repository. */
export function referencePath(): string {
  return join(packageRoot(), 'docs', 'cli.md');
}

/** The reference of all commands, as Markdown. */
export function renderCli(): string {
  const nothing = () => Promise.resolve();
  const program = treeOf(
    createProgram({ withApp: nothing, withConfig: nothing, withTerminal: nothing }),
  );
  const commands = program.commands.flatMap(allCommands).filter(isRun);
  return [
    part('introduction.md'),
    `## Options of every command\n\n${options(program.options)}`,
    `## All commands\n\n${commands.map(contentsLine).join('\n')}\n`,
    ...program.commands.map(section),
    part('knowledge-files.md'),
  ].join('\n');
}

/** What no command can say of itself. */
function part(file: string): string {
  return readFileSync(join(packageRoot(), 'docs', 'cli', file), 'utf8');
}

/** Groups have commands alone; those that do something have examples. */
function isRun({ examples }: CommandNode): boolean {
  return examples.length > 0;
}

function contentsLine(command: CommandNode): string {
  const anchor = `assistant ${command.path}`.replaceAll(' ', '-');
  return `- [\`${command.path}\`](#${anchor}): ${inline(command.description)}`;
}

function section(command: CommandNode): string {
  const isGroup = !isRun(command);
  const head = isGroup
    ? [`## ${command.path}\n`, `${sentence(command.description)}\n`]
    : [commandSection(command, '##')];
  const below = command.commands
    .flatMap(allCommands)
    .filter(isRun)
    .map((one) => commandSection(one, '###'));
  return [...head, ...below].join('\n');
}

function commandSection(command: CommandNode, mark: string): string {
  const usage = [
    'assistant',
    command.path,
    ...(command.options.length > 1 ? ['[options]'] : []),
    ...command.parameters.map((parameter) => parameter.usage),
  ].join(' ');
  const { answer } = command;
  const own = command.options.filter(({ name }) => name !== '--help');
  const parameters = command.parameters
    .filter(({ description }) => description !== '')
    .map((parameter) => `- \`${parameter.usage}\`: ${inline(parameter.description)}`);
  return [
    `${mark} assistant ${command.path}\n`,
    `${sentence(command.description)}\n`,
    `\`\`\`\n${usage}\n\`\`\`\n`,
    ...(parameters.length === 0 ? [] : [`${parameters.join('\n')}\n`]),
    ...(own.length === 0 ? [] : [options(own)]),
    ...(answer === undefined ? [] : [`With \`--json\`: \`${answer.replaceAll('`', "'")}\`\n`]),
    `\`\`\`sh\n${command.examples.join('\n')}\n\`\`\`\n`,
  ].join('\n');
}

function options(list: OptionNode[]): string {
  const rows = list.map(({ flags, description, values, byDefault }) => {
    const told = values.every((value) => description.includes(value));
    const notes = [
      inline(description),
      ...(told ? [] : [`One of ${values.join(', ')}.`]),
      ...(byDefault === undefined ? [] : [`(default: ${byDefault})`]),
    ];
    return `| \`${flags.replaceAll('|', '\\|')}\` | ${notes.join(' ')} |`;
  });
  return `| option | |\n| ------ | --- |\n${rows.join('\n')}\n`;
}

/** Text as Markdown shows it, word for word: what stands in angle brackets is no HTML. */
function inline(text: string): string {
  return text.replaceAll(/[|*_<>[\]]/g, (character) => `\\${character}`);
}

function sentence(text: string): string {
  const shown = inline(text);
  return `${shown.charAt(0).toUpperCase()}${shown.slice(1)}.`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await writeFile(referencePath(), renderCli());
}
