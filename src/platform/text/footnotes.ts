/**
 * The signs of footnotes in the Markdown of an entry: `menu.[^1]`, with `[^1]: The menu is for technicians.` below. Most
 * readers of Markdown show them as they are written. Code is passed over.
 */
const signs = /`[^`]*`|([ \t]?)\[\^(\d{1,3}|[*†‡§¶]{1,3})\](:[ \t]+)?/gu;
const fence = /^\s*(`{3,}|~{3,})/;

/** Replaces the sign in front of each footnote by what `note` gives, and each mark in the text by what `mark` gives. */
export function replaceFootnotes(
  markdown: string,
  { note, mark }: { note: (name: string) => string; mark: (name: string) => string },
): string {
  if (!markdown.includes('[^')) return markdown;
  let isCode = false;
  const lines = markdown.split('\n').map((line) => {
    const isFence = fence.test(line);
    if (isFence) isCode = !isCode;
    if (isFence || isCode || !line.includes('[^')) return line;
    return line.replaceAll(signs, (found: string, ...[space = '', name, colon, at]: Found) => {
      if (name === undefined) return found;
      const isFirst = at + space.length <= 3 && line.slice(0, at).trim() === '';
      return colon !== undefined && isFirst ? note(name) : `${mark(name)}${colon ?? ''}`;
    });
  });
  return lines.join('\n');
}

type Found = [
  space: string | undefined,
  name: string | undefined,
  colon: string | undefined,
  at: number,
];

/** The text with raised signs, as a book has them. */
export function showFootnotes(markdown: string): string {
  return replaceFootnotes(markdown, { note: (name) => `${raised(name)} `, mark: raised });
}

/** The text without the signs. */
export function withoutFootnoteSigns(markdown: string): string {
  return replaceFootnotes(markdown, { note: () => '', mark: () => '' });
}

/** The text of a footnote: the rest of its line. Undefined when there is none. */
export function footnoteIn(markdown: string, name: string): string | undefined {
  const sign = `\n[^${name}]: `;
  const [, behind] = `\n${markdown}`.split(sign, 2);
  const line = behind?.split('\n', 1)[0]?.trim();
  return line === '' ? undefined : line;
}

/** `¹⁶` for 16. Signs that are no digits stay, without a meaning in Markdown. */
export function raised(name: string): string {
  return name.replaceAll(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit))).replaceAll('*', '∗');
}
