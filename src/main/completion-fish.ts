import { allCommands, type CommandNode, type OptionNode } from './command-tree.js';

/** Completions for fish 3 and later, with what each command and option does. */
export function fishCompletion(program: CommandNode): string {
  const below = program.commands.flatMap(allCommands);
  const valued = (options: OptionNode[]) =>
    options.filter(({ takesValue }) => takesValue).map(({ name }) => name);
  const skips = [
    ...valued(program.options).map((name) => `'*:${name}'`),
    ...below.flatMap(({ path, options }) =>
      valued(options).map((name) => quoted(`${path}:${name}`)),
    ),
  ];
  const lines = [program, ...below].flatMap((command) => [
    ...command.commands.map(({ path, description }) => {
      const name = path.split(' ').at(-1) ?? '';
      return rule(command.path, `-a ${quoted(name)} -d ${quoted(description)}`);
    }),
    ...command.parameters.flatMap(({ values, isFile }) => [
      ...(values.length === 0 ? [] : [rule(command.path, `-a ${quoted(values.join(' '))}`)]),
      ...(isFile ? [rule(command.path, '-F')] : []),
    ]),
    ...command.options.map((option) =>
      command === program && option.name !== '--version' && option.name !== '--help'
        ? `complete -c assistant ${optionRule(option)}`
        : rule(command.path, optionRule(option)),
    ),
  ]);
  return `# Completions of assistant for fish: assistant completion fish | source
function __assistant_at
    set -l at ''
    set -l skip ''
    for word in (commandline -opc)[2..-1]
        if test -n "$skip"
            set skip ''
            continue
        end
        switch "$at:$word"
            case ${skips.join(' ')}
                set skip 1
                continue
        end
        set -l next (string trim -- "$at $word")
        switch "$next"
            case ${below.map(({ path }) => quoted(path)).join(' ')}
                set at "$next"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c assistant -e
complete -c assistant -f
${lines.join('\n')}
`;
}

function rule(path: string, what: string): string {
  return `complete -c assistant -n ${quoted(`__assistant_at ${quoted(path)}`)} ${what}`;
}

function optionRule({ name, description, takesValue, values, isFile }: OptionNode): string {
  const value = takesValue ? (isFile ? ' -r -F' : ' -x') : '';
  const words = values.length === 0 ? '' : ` -a ${quoted(values.join(' '))}`;
  return `-l ${name.replace(/^--/, '')}${value}${words} -d ${quoted(description)}`;
}

/** Quotes a word for fish. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
