import type { Command } from 'commander';
import { oneOf } from '../platform/cli/arguments.js';
import type { CommandGroup } from '../platform/cli/command-group.js';
import type { Candidate } from './complete-words.js';
import { printableInLine } from '../platform/text/printable.js';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** Each asks the program at every Tab, so that it offers the names of the present database too. */
const scripts: Record<Shell, string> = {
  // bash 3.2 and later, macOS's included. It makes words of --option=value.
  bash: `# Completions of assistant for bash: source <(assistant completion bash)
_assistant() {
  local line current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${current#=}")
        compopt -o filenames 2> /dev/null ;;
      *) line=\${line%%$'\\t'*}; COMPREPLY+=("$(printf %q "$line")") ;;
    esac
  done < <(assistant complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}
complete -F _assistant assistant
`,
  zsh: `#compdef assistant
# Completions of assistant for zsh: source <(assistant completion zsh)
_assistant() {
  local line
  local -a values lines
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      _files
    else
      values+=("\${line%%$'\\t'*}")
      lines+=("\${line/$'\\t'/  -- }")
    fi
  done < <(assistant complete -- "\${(@)words[2,CURRENT]}" 2> /dev/null)
  (( \${#values} )) && compadd -l -d lines -a values
}
if ! (( \${+functions[compdef]} )); then autoload -Uz compinit && compinit; fi
compdef _assistant assistant
`,
  fish: `# Completions of assistant for fish
function __assistant_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in (assistant complete -- $words[2..] 2> /dev/null)
    if test "$line" = :files
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c assistant -f -a '(__assistant_complete)'
`,
};

export function addCompletionCommands(program: CommandGroup): void {
  program.addPlain({
    name: 'completion',
    description:
      'print the completion script of a shell: for commands, options, values, and names in the database',
    arguments: [['<shell>', shells.join(', '), oneOf('shell', shells)]],
    answer: '{ shell, script }',
    examples: [
      "echo 'source <(assistant completion bash)' >> ~/.bashrc",
      "echo 'source <(assistant completion zsh)' >> ~/.zshrc",
      'assistant completion fish > ~/.config/fish/completions/assistant.fish',
    ],
    // No configuration is read, because a shell runs this at each start, in any folder.
    run({ out }, _options, shell: Shell) {
      const script = scripts[shell];
      out.result({ shell, script }, script);
      return Promise.resolve(0);
    },
  });
  // Called by the scripts above. Prints each candidate with its description, and :files when file
  // names are possible.
  program.command
    .command('complete [words...]', { hidden: true })
    .helpOption(false)
    .action(async (words: string[]) => {
      for (const line of await complete(program.command, words)) {
        process.stdout.write(`${line}\n`);
      }
    });
}

async function complete(program: Command, typed: string[]): Promise<string[]> {
  const { treeOf } = await import('./command-tree.js');
  const { completeWords, optionIn } = await import('./complete-words.js');
  const words = joinAssigned(typed.length === 0 ? [''] : typed);
  const before = words.slice(0, -1);
  const tree = treeOf(program);
  const { candidates, files, thing } = completeWords(tree, words);
  const text = (words.at(-1) ?? '').replace(/^--[\w-]+=/, '');
  const names = thing === undefined ? [] : await (settingsOf(thing, before) ?? namesOf(thing));
  const all = [...candidates, ...names].map(({ value, about }) =>
    [value, about]
      .filter((part) => part !== '')
      .map(printableInLine)
      .join('\t'),
  );
  return files ? [...all, ':files'] : all;

  /** For `config set`: the settings, or the values of the named one. */
  function settingsOf(thing: string, before: string[]): Promise<Candidate[]> | undefined {
    if (thing !== 'setting' && thing !== 'value') return undefined;
    return import('./complete-names.js').then(({ completeSettings }) =>
      completeSettings(thing === 'value' ? before.at(-1) : undefined, text),
    );
  }

  async function namesOf(thing: string) {
    const { loadConfig } = await import('../platform/config/load-config.js');
    const { completeNames } = await import('./complete-names.js');
    try {
      const { config } = await loadConfig(optionIn(before, '--config'));
      return await completeNames(config, { thing, slug: optionIn(before, '--org'), text });
    } catch {
      // The shell shows no error of a completion.
      return [];
    }
  }
}

/** bash gives `--status = dr` for `--status=dr`: it wants the value alone. */
function joinAssigned(words: string[]): string[] {
  const at = words.lastIndexOf('=');
  if (at === words.length - 1 && at > 0) return [...words.slice(0, at), ''];
  if (at === words.length - 2 && at > 0) return [...words.slice(0, at), words.at(-1) ?? ''];
  return words.filter((word) => word !== '=');
}
