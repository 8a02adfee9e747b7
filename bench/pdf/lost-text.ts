import { bodyLines } from './page-edges.js';
import { beyond, trigramsOf, wordsOf } from './scores.js';

export interface LostText {
  /** Share of the words that no entry holds, from 0 to 1. */
  share: number;
  /** The longest runs of words that no entry holds in this order, with their pages from 1. */
  examples: string[];
}

/** Hyphens that end a line, where the entries hold the word in one piece: it is not lost, but joined. */
function joinHyphens(lines: readonly string[], held: ReadonlySet<string>): string {
  return lines
    .join('\n')
    .replace(
      /([\p{L}\p{N}]+)[-\u00ad\u2010]\s*\n\s*([\p{L}\p{N}]+)/gu,
      (cut, start: string, end: string) =>
        held.has((start + end).toLowerCase()) ? start + end : cut,
    );
}

/** Without single letters in a row: visible spaces and rules of dots, which their font names after a letter. */
function dropMarks(words: readonly string[]): string[] {
  return words.filter(
    (word, at) => word.length > 1 || (word !== words[at - 1] && word !== words[at + 1]),
  );
}

/** Words that stand side by side on a page and are all lost. */
function runsOf(words: readonly string[], lost: ReadonlySet<number>): string[][] {
  const runs: string[][] = [];
  let run: string[] = [];
  words.forEach((word, index) => {
    if (lost.has(index)) run.push(word);
    else if (run.length > 0) {
      runs.push(run);
      run = [];
    }
  });
  return run.length > 0 ? [...runs, run] : runs;
}

/** What the pages hold and the entries don't, as multisets of words: running heads, feet and contents don't count. */
export function findLostText(pages: readonly string[], entries: string): LostText {
  const kept = wordsOf(entries);
  const held = new Set(kept);
  const perPage = bodyLines(pages).map((lines) => dropMarks(wordsOf(joinHyphens(lines, held))));
  const all = perPage.flat();
  const lostCount = beyond(all, kept).length;
  const sequences = new Set(trigramsOf(kept));
  const examples = perPage.flatMap((words, index) => {
    // A word is found again by its neighbours: most words stand in other places as well.
    const found = new Set(
      trigramsOf(words).flatMap((three, at) => (sequences.has(three) ? [at, at + 1, at + 2] : [])),
    );
    const lost = new Set(words.flatMap((_, at) => (found.has(at) ? [] : [at])));
    // Two words have no sequence that could be found: they are told of where the entries lack one of them.
    return runsOf(words, lost)
      .filter((run) => run.length > 2 || run.some((word) => !held.has(word)))
      .map((run) => ({ page: index + 1, run }));
  });
  examples.sort((a, b) => b.run.length - a.run.length);
  return {
    share: all.length === 0 ? 0 : lostCount / all.length,
    examples: examples.slice(0, 8).map(({ page, run }) => `page ${page}: ${run.join(' ')}`),
  };
}
