import { allCommands, type CommandNode, type OptionNode } from './command-tree.js';

/** Quotes a word for every POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The options that every command accepts. */
export function globalOptions(program: CommandNode): OptionNode[] {
  return program.options.filter(({ name }) => name !== '--help' && name !== '--version');
}

/** The patterns for options in a shell's `case`: `<command>:<option>`; any command for the program's options. */
export function optionPatterns(
  program: CommandNode,
  wanted: (option: OptionNode) => boolean,
): string[] {
  const ofAll = globalOptions(program).filter(wanted);
  const own = program.commands
    .flatMap(allCommands)
    .flatMap(({ path, options }) =>
      options.filter(wanted).map(({ name }) => quoted(`${path}:${name}`)),
    );
  return [...ofAll.map(({ name }) => `*:${name}`), ...own];
}

/** A branch of a `case`; empty without a pattern, which would be a syntax error. */
export function branch(patterns: string[], commands: string): string[] {
  return patterns.length === 0 ? [] : [`    ${patterns.join('|')}) ${commands} ;;`];
}

/** Groups options by their allowed values. */
export function byValues(program: CommandNode): Map<string, string[]> {
  const all = [program, ...program.commands.flatMap(allCommands)].flatMap(({ options }) => options);
  const lists = new Set(all.map(({ values }) => values.join(' ')).filter((words) => words !== ''));
  return new Map(
    [...lists].map((words) => [
      words,
      optionPatterns(program, ({ values }) => values.join(' ') === words),
    ]),
  );
}

/** Completions for bash 3.2 and later, including macOS: no arrays by name, and no bash-completion package. */
export function bashCompletion(program: CommandNode): string {
  const commands = allCommands(program);
  const steps = commands.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const shared = globalOptions(program).map(({ name }) => name);
  const words = commands.flatMap((command) => {
    const names = new Set([...command.options.map(({ name }) => name), ...shared]);
    const below = command.commands.map(({ path }) => path.split(' ').at(-1) ?? '');
    const values = command.parameters.flatMap((parameter) => parameter.values);
    const files = command.parameters.some(({ isFile }) => isFile) ? ' files=1' : '';
    return [
      `    ${quoted(command.path)}) options=${quoted([...names].join(' '))} words=${quoted([...below, ...values].join(' '))}${files} ;;`,
    ];
  });
  return `# Completions of assistant for bash: source <(assistant completion bash)
_assistant() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  local at='' words='' options='' files='' skip='' index word line
  # bash makes words of --option=value, too.
  if [ "$current" = = ]; then current=''
  elif [ "$before" = = ] && [ "$COMP_CWORD" -gt 1 ]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [ -n "$skip" ]; then skip=''; continue; fi
    case "$at:$word" in
${branch(
  optionPatterns(program, ({ takesValue }) => takesValue),
  '[ "${COMP_WORDS[index+1]}" = = ] || skip=1; continue',
).join('\n')}
    esac
    case "\${at:+$at }$word" in
${branch(steps, 'at="${at:+$at }$word"').join('\n')}
    esac
  done
  COMPREPLY=()
  case "$at:$before" in
${[...byValues(program)]
  .flatMap(([values, patterns]) => branch(patterns, `words=${quoted(values)}`))
  .join('\n')}
${branch(
  optionPatterns(program, ({ isFile }) => isFile),
  'files=1',
).join('\n')}
${branch(
  optionPatterns(program, ({ takesValue }) => takesValue),
  'return',
).join('\n')}
    *) case "$at" in
${words.join('\n')}
    esac
    case "$current" in -*) words=$options files='' ;; esac ;;
  esac
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
    [ -z "$words" ] || compgen -W "$words" -- "$current"
    [ -z "$files" ] || compgen -f -- "$current"
  )
  [ -z "$files" ] || compopt -o filenames 2> /dev/null
}
complete -F _assistant assistant
`;
}
