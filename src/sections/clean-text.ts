const ligatures: Record<string, string> = {
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ﬅ: 'st',
  ﬆ: 'st',
};

// Symbol fonts use private codes for bullets.
const privateBullets = /[\uf0a7\uf0b7\uf06e\uf076\uf0d8\uf0fc]/g;
// Fonts with a wrong table name these letters of Windows-1252 by their code.
const windowsLetters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const windowsCodes = /[\u0080-\u009f]/g;
// Control characters come from a damaged encoding. What other private codes show is unknown.
const noise =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2060\u202a-\u202e\u2066-\u2069\ue000-\uf8ff\ufeff\ufff9-\ufffb\ufffe\uffff]/g;
const spaces = /[\u0009\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
// Arabic presentation forms: each shape of a letter has a code of its own.
const presentationForms = /[\ufb1d-\ufdff\ufe70-\ufefc]+/g;
const plain = /^[\u0020-\u007e]*$/;
/** Letters and signs that none of the steps changes: Latin, quotes and dashes, Chinese and Japanese. */
const settled =
  /^[\u0020-\u007e\u00a1-\u02ff\u2010-\u2027\u2030-\u205e\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uff01-\uff60]*$/;

export function isPlain(text: string): boolean {
  return plain.test(text);
}

/** The letter of a code from U+0080 to U+009F; nothing for those that have none. */
export function windowsLetter(code: string): string {
  return windowsLetters[code.charCodeAt(0) - 0x80]?.replace(/[\u0080-\u009f]/, '') ?? '';
}

/**
 * Normalises text as typed on a keyboard: NFC, ligatures spelled out, every kind of space plain, nothing invisible.
 * Soft hyphens stay: they show where words may be joined.
 */
export function cleanText(text: string): string {
  // The steps below take a tenth of the time of reading a page.
  if (settled.test(text)) return text;
  return text
    .replace(windowsCodes, windowsLetter)
    .replace(privateBullets, '•')
    .replace(noise, '')
    .replace(spaces, ' ')
    .replace(/[ﬀ-ﬆ]/g, (ligature) => ligatures[ligature] ?? ligature)
    .replace(presentationForms, (forms) => forms.normalize('NFKC'))
    .normalize('NFC');
}

// dblatex under Python 3 writes b''├b'' in listings for every non-ASCII character.
const bytesLiteral = /b[\u0027\u2019]{2}([^\u0000-\u007f])b[\u0027\u2019]{2}/g;

/** Repairs a listing's line that its producer garbled. */
export function mendListing(text: string): string {
  return text.includes("b'") || text.includes('b’') ? text.replace(bytesLiteral, '$1') : text;
}
