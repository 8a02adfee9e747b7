import { allCommands, type CommandNode } from './command-tree.js';
import { branch, byValues, globalOptions, optionPatterns, quoted } from './completion-bash.js';

/** Completions for zsh, with what each command and option does. */
export function zshCompletion(program: CommandNode): string {
  const commands = allCommands(program);
  const steps = commands.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const shared = globalOptions(program);
  const described = (name: string, description: string) =>
    quoted(`${name.replaceAll(':', '\\:')}:${description}`);
  const words = commands.map((command) => {
    const names = new Set(command.options.map(({ name }) => name));
    const options = [...command.options, ...shared.filter(({ name }) => !names.has(name))].map(
      ({ name, description }) => described(name, description),
    );
    const below = command.commands.map(({ path, description }) =>
      described(path.split(' ').at(-1) ?? '', description),
    );
    const values = command.parameters.flatMap((parameter) => parameter.values).map(quoted);
    const files = command.parameters.some(({ isFile }) => isFile) ? ' files=1' : '';
    return `    ${quoted(command.path)}) options=(${options.join(' ')}) below=(${[...below, ...values].join(' ')})${files} ;;`;
  });
  return `#compdef assistant
# Completions of assistant for zsh: source <(assistant completion zsh), after compinit
_assistant() {
  local at='' skip='' files='' word before=\${words[CURRENT-1]} current=\${words[CURRENT]}
  local -a options below values
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case "$at:$word" in
${branch(
  optionPatterns(program, ({ takesValue }) => takesValue),
  'skip=1; continue',
).join('\n')}
    esac
    case "\${at:+$at }$word" in
${branch(steps, 'at="${at:+$at }$word"').join('\n')}
    esac
  done
  if [[ $current == --*=* ]]; then
    before=\${current%%=*}
    compset -P '*='
  fi
  case "$at:$before" in
${[...byValues(program)]
  .flatMap(([list, patterns]) => branch(patterns, `values=(${list}); compadd -a values; return`))
  .join('\n')}
${branch(
  optionPatterns(program, ({ isFile }) => isFile),
  '_files; return',
).join('\n')}
${branch(
  optionPatterns(program, ({ takesValue }) => takesValue),
  'return',
).join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
  if [[ $current == -* ]]; then
    _describe -o option options
    return
  fi
  (( \${#below} )) && _describe command below
  [[ -n $files ]] && _files
}
compdef _assistant assistant
`;
}
