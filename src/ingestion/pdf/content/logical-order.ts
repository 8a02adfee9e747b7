import { hasRightToLeft } from '../layout/direction.js';

const leftToRightParts =
  /[\p{Script=Latin}\p{N}](?:[^\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]*[\p{Script=Latin}\p{N}%])?/gu;
const mirrored: Record<string, string> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
};

function reverse(text: string): string {
  return Array.from(text).reverse().join('');
}

/**
 * Text drawn from left to right as one reads it: Hebrew and Arabic turned about, and Latin words and numbers within
 * them turned back. Text without such letters stays as it is.
 */
export function toLogicalOrder(visual: string): string {
  if (!hasRightToLeft(visual)) return visual;
  // Combining marks follow their letter in both directions.
  const turned = reverse(visual).replace(/(\p{M}+)(\P{M})/gu, '$2$1');
  return turned
    .replace(/[()[\]{}<>«»]/g, (char) => mirrored[char] ?? char)
    .replace(leftToRightParts, (part) =>
      reverse(part).replace(/[()[\]{}<>«»]/g, (char) => mirrored[char] ?? char),
    );
}
