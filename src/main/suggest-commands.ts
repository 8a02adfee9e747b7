import type { Command } from 'commander';
import { nearest } from '../platform/nearest.js';

/** Words that other programs have for the same thing. */
const sameThings = [
  ['list', 'ls', 'all'],
  ['show', 'get', 'view', 'info', 'describe'],
  ['add', 'create', 'mint', 'new', 'make'],
  ['edit', 'update', 'change', 'modify', 'set'],
  ['remove', 'delete', 'revoke', 'dismiss', 'rm', 'del'],
];

/** Below so many commands, all of them are named where none is near. */
const few = 16;

/** Has the program and each group of commands say, of a word that is none of theirs, which one may be meant. */
export function suggestCommands(command: Command): void {
  for (const one of command.commands) suggestCommands(one);
  if (command.commands.length === 0) return;
  command.on('command:*', ([word = '']: string[]) => {
    const names = command.commands.map((one) => one.name());
    command.error(`error: unknown command '${word}'${hint(word, names)}`, {
      code: 'commander.unknownCommand',
    });
  });
}

function hint(word: string, names: string[]): string {
  const meant = commandMeant(word, names);
  if (meant !== undefined) return `\n(Did you mean ${meant}?)`;
  return names.length < few ? `\n(There are: ${names.join(', ')})` : '';
}

/** `rotate` means rotate-secret and `rm` delete, though other names have more letters in common with them. */
function commandMeant(word: string, names: string[]): string | undefined {
  const beginning = names.filter((name) => name.startsWith(`${word}-`));
  if (beginning.length === 1) return beginning[0];
  const same = sameThings.find((words) => words.includes(word)) ?? [];
  return names.find((name) => same.includes(name)) ?? nearest(word, names);
}
