import type { Command } from 'commander';
import { oneOf } from '../platform/cli/arguments.js';
import { withAnswer, withExamples } from '../platform/cli/cli.js';
import { createOutput } from '../platform/cli/terminal.js';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export function addCompletionCommand(program: Command): void {
  withExamples(
    withAnswer(program.command('completion'), '{ shell, script }')
      .argument('<shell>', shells.join(', '), oneOf('shell', shells))
      .description('print what lets a shell complete commands, options and values'),
    "echo 'source <(assistant completion bash)' >> ~/.bashrc",
    "echo 'source <(assistant completion zsh)' >> ~/.zshrc",
    'assistant completion fish > ~/.config/fish/completions/assistant.fish',
  ).action(async (shell: Shell, _options: unknown, command: Command) => {
    const script = await completionFor(shell, command);
    const { json = false } = command.optsWithGlobals<{ json?: boolean }>();
    // No configuration is read: a shell asks for this each time it starts, wherever that is.
    createOutput(process, { json, quiet: false }).result({ shell, script }, script);
  });
}

/** The script for a shell, of the program as it stands. */
async function completionFor(shell: Shell, command: Command): Promise<string> {
  const { treeOf } = await import('./command-tree.js');
  const tree = treeOf(command.parent ?? command);
  if (shell === 'bash') return (await import('./completion-bash.js')).bashCompletion(tree);
  if (shell === 'zsh') return (await import('./completion-zsh.js')).zshCompletion(tree);
  return (await import('./completion-fish.js')).fishCompletion(tree);
}
