export const white = 1;
export const delimiter = 2;
/** The class of each byte in PDF syntax (ISO 32000-1, 7.2.2): white space, a delimiter, or 0 for regular. */
export const classOf = new Uint8Array(256);
for (const code of [0, 9, 10, 12, 13, 32]) classOf[code] = white;
for (const char of '()<>[]{}/%') classOf[char.charCodeAt(0)] = delimiter;

/** The value of each hexadecimal digit; -1 for any other byte. */
export const hexDigits = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit++) {
  hexDigits[digit.toString(16).charCodeAt(0)] = digit;
  hexDigits[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

export function isWhite(code: number): boolean {
  return classOf[code] === white;
}

/** True for a letter of an operator; quotes are operators too. */
export function isLetter(code: number): boolean {
  return (
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x27 ||
    code === 0x22
  );
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Resolves a literal string's escapes (7.3.4.2): \n, \051, line continuations. All line ends become one kind. */
export function unescape(buffer: Buffer, from: number, to: number): string {
  return buffer
    .toString('latin1', from, to)
    .replace(/\\([0-7]{1,3}|\r\n|[^])|\r\n?/g, (_: string, escape: string | undefined) => {
      if (escape === undefined) return '\n';
      if (/^[0-7]/.test(escape)) return String.fromCharCode(parseInt(escape, 8) & 0xff);
      if (escape === '\n' || escape.startsWith('\r')) return '';
      return escapes[escape] ?? escape;
    });
}
