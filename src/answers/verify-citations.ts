/**
 * A model's text with citations that hold: numbers that name none of the `count` passages given to it are
 * removed, the others renumbered in the order of their first use. `cited` are the old numbers, from 1.
 */
export function verifyCitations(text: string, count: number): { text: string; cited: number[] } {
  const cited: number[] = [];
  const renumber = (numbers: number[]): string => {
    const valid = [...new Set(numbers)].filter((number) => number >= 1 && number <= count);
    return valid
      .map((number) => {
        if (!cited.includes(number)) cited.push(number);
        return `[${cited.indexOf(number) + 1}]`;
      })
      .join('');
  };
  // [1], [1, 2], [1][2], and [1](link): a link that the model makes of a citation is no source. Code is passed
  // over: argv[2] cites nothing, and must stay a command that runs.
  const verified = text.replaceAll(
    /```[^]*?(?:```|$)|`[^`\n]*`|[ \t]*((?:\[\d{1,3}(?:\s*[,;]\s*\d{1,3})*\](?:\([^)\s]*\))?)+)/g,
    (match, run: string | undefined) => {
      if (run === undefined) return match;
      const numbers = run.replaceAll(/\([^)]*\)/g, '').match(/\d+/g) ?? [];
      const marks = renumber(numbers.map(Number));
      const space = /^[ \t]/.test(match) ? ' ' : '';
      return marks === '' ? '' : space + marks;
    },
  );
  return { text: verified.trim(), cited };
}
