/** The text on one line of at most `most` characters. A shortened text ends with an ellipsis. */
export function shorten(text: string, most: number): string {
  const line = onOneLine(text);
  if (line.length <= most) return line;
  // Half of a surrogate pair can be neither stored nor sent.
  return `${line.slice(0, most - 1).replace(/\p{Surrogate}$/u, '')}…`;
}

/** Replaces each run of blanks and line breaks by one blank. */
export function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
