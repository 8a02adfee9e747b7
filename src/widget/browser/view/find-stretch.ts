/** A part of a text, in UTF-16 units; `to` is not included. */
export interface Stretch {
  from: number;
  to: number;
}

/**
 * Where a part of an answer's Markdown stands in the text that is shown of it, from `after` on. Only its words count:
 * marks of Markdown, addresses of links and citations are not shown, or not as text.
 */
export function findStretch(shown: string, markdown: string, after: number): Stretch | undefined {
  const words = markdown.replace(/\]\([^)\s]*\)|\[\d+\]/g, ' ').match(/[\p{L}\p{N}]+/gu);
  if (!words) return undefined;
  const pattern = new RegExp(`${words.join('[^\\p{L}\\p{N}]*')}[.!?…]?`, 'gu');
  pattern.lastIndex = after;
  const found = pattern.exec(shown);
  return found ? { from: found.index, to: pattern.lastIndex } : undefined;
}
