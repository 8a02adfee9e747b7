const comment = /^\s*#/;

/**
 * A YAML text whose lines of comment alone are empty, so that all lines keep their numbers: config.yaml explains itself
 * at length, and each command would wait for that to be parsed. The text as it is where a text of several lines might
 * stand in it, in which `#` begins no comment.
 */
export function blankComments(yaml: string): string {
  const lines = yaml.split('\n');
  if (lines.some((line) => !comment.test(line) && mayGoOn(line))) return yaml;
  return lines.map((line) => (comment.test(line) ? '' : line)).join('\n');
}

/** Whether a quotation is left open, or something like `|` announces a block. */
function mayGoOn(line: string): boolean {
  const bare = line.replaceAll(/"[^"'\\]*"|'[^"'\\]*'/g, '').replace(/\s#.*$/, '');
  return /["']|(?:^|\s)[|>][-+\d]*\s*$/.test(bare);
}
