/**
 * Reads a packed table: words in the order of their numbers, where `0041:A` says the number in hexadecimal, a word
 * without one counts on from the word before, and `=` stands between words of one number.
 */
export function unpackNames(packed: string): Map<number, string[]> {
  const table = new Map<number, string[]>();
  let number = -1;
  for (const word of packed.trim().split(/\s+/)) {
    const colon = word.indexOf(':');
    number = colon < 0 ? number + 1 : parseInt(word.slice(0, colon), 16);
    table.set(number, word.slice(colon + 1).split('='));
  }
  return table;
}

/** One name for each code, as an encoding has it. */
export function unpackEncoding(packed: string): Map<number, string> {
  const encoding = new Map<number, string>();
  for (const [code, [name]] of unpackNames(packed)) {
    if (name !== undefined) encoding.set(code, name);
  }
  return encoding;
}
