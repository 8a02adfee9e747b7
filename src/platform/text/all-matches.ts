/**
 * All matches of a global pattern, in order, as `text.matchAll(pattern)` gives them. The pattern must never match an
 * empty text: that would not end. `matchAll` works on a copy of the pattern, which V8 compiles anew after a few full
 * garbage collections: 20 ms for the patterns of personal data, in which nobody else is answered. This function uses
 * the pattern itself, whose `lastIndex` is 0 again at the end.
 */
export function allMatches(text: string, pattern: RegExp): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  for (let match; (match = pattern.exec(text));) matches.push(match);
  return matches;
}
