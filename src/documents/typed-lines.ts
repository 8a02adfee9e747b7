/** In characters: lines of paragraphs are longer, except their last ones. */
const narrow = 60;
const prompt = /^(?:[$%>#] |[\w.-]+[>$%#] \S)/;
const comment = /^\s*(?:#|\/\/|--\s|\/\*|\*\/)/;
const codeLine =
  /[;{}\\]$|;\s*(?:\/\/|\/\*|#)|^\s*(?:#\w|#\s|\/\/|\/\*|<\/?\w|[-\w.]+\s*[:=]=?\s|[$%>] )|\w\(.*\)|(?:^|\s)--?\w+[= ]|[<>|&]{2}|\$\w/;

/**
 * True for lines that were typed at a prompt, and for lines of code: no line is full, as those of a paragraph are, so that
 * the first word of the next would not have fitted.
 */
export function isTyped(rows: readonly string[]): boolean {
  const [first = ''] = rows;
  if (
    rows.length < 2 ||
    !(prompt.test(first) || codeLine.test(first) || /^[^\p{L}\s]\p{L}/u.test(first))
  )
    return false;
  if (rows.filter((row) => prompt.test(row)).length >= 0.3 * rows.length) return true;
  if (rows.every((row) => comment.test(row))) return true;
  const [command = ''] = first.split(' ');
  if (rows.every((row) => row.startsWith(`${command} `) && !/[.,;]$/.test(row))) return true;
  const width = rows.reduce((most, row) => Math.max(most, row.length), narrow);
  const full = rows.filter((row, at) => {
    const [next = ''] = rows[at + 1]?.split(' ') ?? [];
    return at < rows.length - 1 && row.length + 1 + next.length >= width;
  });
  const code = rows.filter((row) => codeLine.test(row));
  return full.length <= 0.5 * (rows.length - 1) && code.length >= 0.5 * rows.length;
}

/** True for lines of numbers or signs, whose places matter: data, and drawings. */
export function isDrawn(rows: readonly string[]): boolean {
  if (rows.length < 2) return false;
  const text = rows.join('');
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters < 0.4 * text.replaceAll(/\s/g, '').length;
}
