import type { WithDb } from '../../platform/app.js';
import type { TermCounts } from '../term-index/postings.js';
import { findWords, type FoundWords, type WordPattern } from '../passages/vocabulary.repository.js';

/** How many times more words are read when the asker's passages hold too few of the previous ones. */
const growth = 8;

/**
 * For each pattern the shortest words (at most `most`) that passages within the scope of `counts` hold, and those of
 * `words` that they hold. Words of hidden, draft and deleted texts do not count: it reads until there are enough or
 * none is left. So the result depends only on the passages within the scope.
 */
export async function findHeldWords(
  app: WithDb,
  organizationId: number,
  patterns: readonly WordPattern[],
  { counts, most, words = [] }: { counts: TermCounts; most: number; words?: readonly string[] },
): Promise<FoundWords> {
  const isHeld = (word: string) => counts.holding(word) > 0;
  const held: FoundWords = { fitting: patterns.map(() => []), present: [] };
  let open = patterns.map((pattern, at) => ({ pattern, at }));
  for (let limit = most; limit === most || open.length > 0; limit *= growth) {
    const read = await findWords(
      app,
      organizationId,
      open.map(({ pattern }) => pattern),
      { words: limit === most ? words : [], limit },
    );
    await counts.lookUp([...read.fitting.flat(), ...read.present]);
    held.present.push(...read.present.filter(isHeld));
    open = open.filter(({ at }, index) => {
      const fitting = read.fitting[index] ?? [];
      const own = fitting.filter(isHeld).slice(0, most);
      held.fitting[at] = own;
      return own.length < most && fitting.length === limit;
    });
  }
  return held;
}
