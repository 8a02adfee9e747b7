/**
 * Makes text from outside (a PDF, a client) safe for the terminal: control characters are shown, not sent. Characters
 * that join emoji or separate letters are harmless and stay.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) =>
    /[\n\t\u200C\u200D]/.test(character) ? character : '\uFFFD',
  );
}

/** As printable, for text within a line: a line break in a name cannot fake a line of output. */
export function printableInLine(text: string): string {
  return printable(text).replaceAll(/[\n\t]/g, '\uFFFD');
}

/** JSON leaves some control characters unescaped, which a terminal would interpret. */
export function safeJson(document: object, indent?: number): string {
  return JSON.stringify(document, null, indent).replaceAll(
    /[\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
