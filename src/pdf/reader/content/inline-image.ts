import { isWhite } from '../syntax/characters.js';
import { Dict, Name } from '../syntax/objects.js';
import { Keyword, type Tokens } from '../syntax/tokens.js';

/** The bytes after EI that must look like a content stream, because the picture's data may contain EI. */
const lookAhead = 12;

/** Skips the data of an inline image (ISO 32000-1, 8.9.7). `tokens` is positioned after ID. */
export function skipInlineImage(tokens: Tokens): void {
  const { bytes } = tokens;
  for (let at = tokens.at; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0x45 || bytes[at + 1] !== 0x49) continue;
    const before = bytes[at - 1] ?? 32;
    const after = bytes[at + 2] ?? 32;
    if (!isWhite(before) || !isWhite(after)) continue;
    const following = bytes.subarray(at + 2, at + 2 + lookAhead);
    if (following.every((code) => isWhite(code) || (code >= 0x20 && code < 0x7f))) {
      tokens.at = at + 2;
      return;
    }
  }
  tokens.at = bytes.length;
}

const abbreviations: Record<string, string> = { W: 'Width', H: 'Height', IM: 'ImageMask' };

/** The dictionary of an inline image, with the needed keys spelled out. `tokens` is positioned after BI. */
export function readInlineImage(tokens: Tokens): Dict {
  const image = new Dict({ resolve: () => null });
  let key: string | undefined;
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    if (token instanceof Keyword) {
      if (token.text === 'ID') break;
      continue;
    }
    if (key !== undefined) {
      image.entries.set(abbreviations[key] ?? key, token);
      key = undefined;
    } else if (token instanceof Name) key = token.text;
  }
  return image;
}
