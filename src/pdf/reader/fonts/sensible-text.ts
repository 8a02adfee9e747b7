/** True for code points that are not text: controls, private use, lone surrogates, and noncharacters. */
function isNonsense(point: number): boolean {
  return (
    point < 0x20 ||
    (point >= 0x7f && point < 0xa0) ||
    (point >= 0xd800 && point < 0xf900) ||
    (point >= 0xfdd0 && point < 0xfdf0) ||
    point === 0xfeff ||
    (point >= 0xfff0 && point <= 0xffff) ||
    (point > 0xffff && ((point & 0xfffe) === 0xfffe || point >= 0xf0000))
  );
}

/** Radicals that look like Chinese characters, and punctuation in its vertical form. */
const shapes = /[\u2f00-\u2fdf\ufe10-\ufe19\ufe30-\ufe4f]/g;

/**
 * Removes characters without a meaning and replaces look-alikes by the characters that a person would type. Line ends
 * and tabs become spaces.
 */
export function sensibleText(text: string): string {
  if (text.length === 1 && text.charCodeAt(0) < 0x2f00 && !isNonsense(text.charCodeAt(0))) {
    return text;
  }
  let kept = '';
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    if (!isNonsense(point)) kept += char;
    else if (point >= 9 && point <= 13) kept += ' ';
  }
  return kept.replace(shapes, (shape) => shape.normalize('NFKC'));
}

/** A character as text; empty when the number is no valid character. */
export function characterOf(point: number | undefined): string {
  if (point === undefined || !(point >= 0 && point <= 0x10ffff)) return '';
  return sensibleText(String.fromCodePoint(point));
}

/** Decodes UTF-16BE with one byte per character. A single byte stands for itself; a last odd byte is dropped. */
export function fromUtf16(binary: string): string {
  if (binary.length === 1) return binary;
  let text = '';
  for (let at = 0; at + 1 < binary.length; at += 2) {
    text += String.fromCharCode((binary.charCodeAt(at) << 8) | binary.charCodeAt(at + 1));
  }
  return text;
}

/** A private-use character: often an icon, which has no text. */
export function isPrivate(text: string): boolean {
  const unit = text.charCodeAt(0);
  return text.length === 1 && unit >= 0xe000 && unit < 0xf900;
}
