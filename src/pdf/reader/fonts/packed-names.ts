/**
 * Reads a packed table of words in the order of their numbers. `0041:A` sets the number in hexadecimal, a word without
 * a number counts up from the previous word, and `=` stands between words of one number.
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

/** One name per code, for an encoding. */
export function unpackEncoding(packed: string): Map<number, string> {
  const encoding = new Map<number, string>();
  for (const [code, [name]] of unpackNames(packed)) {
    if (name !== undefined) encoding.set(code, name);
  }
  return encoding;
}
