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

/** Compatibility forms, case and invisible characters gone: what two spellings of one word have in common. */
export function foldCase(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  // Soft hyphens and zero-width characters stand inside words of PDFs and web pages.
  return text
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .normalize('NFKC')
    .toLowerCase();
}

/** Accents gone too, so that those who type none still find the word: ä is a, ß is ss. Expects lower case. */
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
