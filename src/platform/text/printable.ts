/**
 * Text from outside (a PDF, a client) can't act on the terminal: control characters are shown, not sent. What joins the
 * parts of an emoji, or keeps letters apart, does nothing else.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) =>
    /[\n\t\u200C\u200D]/.test(character) ? character : '\uFFFD',
  );
}

/** The same of what stands within a line: a name with a line break in it can't make up lines of its own. */
export function printableInLine(text: string): string {
  return printable(text).replaceAll(/[\n\t]/g, '\uFFFD');
}

/** JSON leaves some control characters as they are, which a terminal would take for commands. */
export function safeJson(document: object, indent?: number): string {
  return JSON.stringify(document, null, indent).replaceAll(
    /[\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
