import { windowsLetter } from '../sections/clean-text.js';

/** The text of a file, and how it was encoded. */
export interface DecodedText {
  text: string;
  encoding: string;
}

const marks: [bytes: number[], encoding: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** In bytes: enough to tell an encoding. */
const sample = 4096;

/**
 * Decodes a text by its byte order mark, else as UTF-8, else by the encoding that it `states`, else as Windows-1252,
 * which has a letter for each byte. Control characters are left out, except line ends and tabs. Those from U+0080 are
 * letters of Windows-1252, as in PDFs: some program took one encoding for the other.
 */
export function decodeText(bytes: Uint8Array, stated?: string): DecodedText {
  const marked = marks.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1];
  const encoding = marked ?? wideEncoding(bytes);
  if (encoding !== undefined) return decoded(bytes, encoding);
  try {
    return clean(new TextDecoder('utf-8', { fatal: true }).decode(bytes), 'utf-8');
  } catch {
    return decoded(bytes, stated ?? 'windows-1252');
  }
}

function decoded(bytes: Uint8Array, encoding: string): DecodedText {
  try {
    const decoder = new TextDecoder(encoding);
    const isUseless = decoder.encoding === 'utf-8' && encoding !== 'utf-8';
    if (!isUseless) return clean(decoder.decode(bytes), decoder.encoding);
  } catch {
    // A name that nobody knows.
  }
  return clean(new TextDecoder('windows-1252').decode(bytes), 'windows-1252');
}

function clean(text: string, encoding: string): DecodedText {
  const plain = text
    .replaceAll(/\r\n?/g, '\n')
    // Colours of a terminal; bold and underlined letters of a printer: one letter over another.
    .replaceAll(/\u001b\[[\d;]*m/g, '')
    .replaceAll(/[^\n]\u0008(?=[^\n\u0008])/g, '')
    .replaceAll(/[\u0000-\u0008\u000b\u000e-\u001f\u007f\ufeff\ufffe\uffff]/g, '')
    .replaceAll(/[\u0080-\u009f]/g, windowsLetter);
  return { text: plain, encoding };
}

/** UTF-16 without a mark: most letters of European languages have a zero byte on the same side. */
function wideEncoding(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, sample);
  if (head.length < 8) return undefined;
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  const half = head.length / 2;
  if (odd > 0.4 * half && even < 0.05 * half) return 'utf-16le';
  if (even > 0.4 * half && odd < 0.05 * half) return 'utf-16be';
  return undefined;
}

/** True when the bytes are no text in any encoding: they have zeros or many control characters. */
export function isBinary(bytes: Uint8Array): boolean {
  if (wideEncoding(bytes) !== undefined) return false;
  if (marks.some(([mark]) => mark.every((byte, at) => bytes[at] === byte))) return false;
  let controls = 0;
  const head = bytes.subarray(0, sample);
  for (const byte of head) {
    if (byte === 0) return true;
    // Letters over letters, and colours, are text of a printer and of a terminal.
    if (byte === 0x08 || byte === 0x1b) continue;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d) controls++;
  }
  return controls > 0.02 * head.length;
}
