/** A text on one line, of at most this many characters; where something was left out, it ends with an ellipsis. */
export function shorten(text: string, most: number): string {
  const line = onOneLine(text);
  if (line.length <= most) return line;
  // Half of a surrogate pair can be neither stored nor sent.
  return `${line.slice(0, most - 1).replace(/\p{Surrogate}$/u, '')}…`;
}

/** A text with one blank where there were several, or breaks of lines. */
export function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
