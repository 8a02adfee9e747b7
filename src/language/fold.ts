const ligatures: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
};

/** Removes compatibility forms, case and invisible characters, so that spellings of one word become equal. */
export function foldCase(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  // Words in PDFs and web pages contain soft hyphens and zero-width characters.
  return text
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .normalize('NFKC')
    .toLowerCase();
}

/** Also removes accents, so that people who type none find the word: ä becomes a, ß becomes ss. Expects lower case. */
export function foldAccents(text: string): string {
  if (isAscii(text)) return text;
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[ßæœøłđðı]/g, (letter) => ligatures[letter] ?? letter);
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
