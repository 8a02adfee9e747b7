import { isWhite } from '../syntax/characters.js';
import type { Tokens } from '../syntax/tokens.js';

/** Bytes after EI that must look like a content stream, so that EI within the picture's data is passed over. */
const lookAhead = 12;

/** Skips the data of an inline image (ISO 32000-1, 8.9.7): `tokens` stands behind ID. */
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
