/**
 * Whether a text holds an expected answer: without regard to case, spaces, punctuation around words and citation
 * marks. A number or a short word must stand by itself ("3" is not in "1993"), a longer one may be a part of
 * another word, as inflection makes it.
 */
export function containsAnswer(text: string, answer: string): boolean {
  const wanted = plain(answer);
  if (wanted === '') return false;
  const within = plain(text);
  for (let at = within.indexOf(wanted); at !== -1; at = within.indexOf(wanted, at + 1)) {
    const before = within.slice(0, at).at(-1) ?? ' ';
    const after = within.at(at + wanted.length) ?? ' ';
    if (
      isBorder(before, wanted.at(0) ?? '', wanted) &&
      isBorder(after, wanted.at(-1) ?? '', wanted)
    )
      return true;
  }
  return false;
}

/** Letters up to which a word within another one is chance. */
const shortWord = 3;

function isBorder(outside: string, inside: string, wanted: string): boolean {
  if (/\p{N}/u.test(inside)) return !/\p{N}/u.test(outside);
  // Scripts that set no spaces have no borders to look at.
  if (wanted.length > shortWord || !/[\p{Script=Latin}\p{N}]/u.test(inside)) return true;
  return !/[\p{L}\p{N}]/u.test(outside);
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\[\d{1,3}\]/g, ' ')
    .replaceAll(/[^\p{L}\p{M}\p{N}%€$£°+-]+/gu, ' ')
    .trim();
}
