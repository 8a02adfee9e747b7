/** Stands for a blank inside a command. printable() lets no such character through. */
const glue = '\0';

const commands =
  /(?<=^|\n|: |\()(?:sudo |[A-Z_]+=\S+ )*(?:assistant|chmod|chown|curl|docker|journalctl|kill|mv|npm|npx|ollama|systemctl|timedatectl) [^\n]+?(?=$|\n|[.,;)](?:\s|$)|\)[.,]|: | or assistant )/g;

/** Joins the words of each command in a text, so that a line breaks before it and never inside it. */
export function joinCommands(text: string): string {
  return text.replaceAll(commands, (command) => command.replaceAll(' ', glue));
}

/** Takes back what joinCommands did. */
export function separateCommands(text: string): string {
  return text.replaceAll(glue, ' ');
}
