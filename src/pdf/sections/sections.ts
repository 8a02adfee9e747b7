import type { Block } from '../../sections/block.js';
import type { Chapter } from '../../sections/chapter.js';
import { isContentsTitle, numberDepth, stripNumber, withoutMarks } from '../../sections/titles.js';

/** True when the headings of a level are numbered in sequence, as in `1 Running` and `2 Updating`. */
function countsUp(headings: readonly Block[]): boolean {
  const numbers = headings.map(({ text }) => Number(/^(\d{1,3})[.)]?\s+\S/.exec(text)?.[1] ?? NaN));
  const steps = numbers.filter(
    (number, index) => number === 1 || number === (numbers[index - 1] ?? NaN) + 1,
  );
  return steps.length >= 2 && steps.length >= 0.5 * headings.length;
}

/**
 * The levels with numbered headings, where a bare number before a title is a heading number too: all levels if most
 * headings are numbered, else those in sequence.
 */
function numberedLevels(headings: readonly Block[]): ReadonlySet<number> {
  const levels = new Set(headings.map((heading) => heading.level ?? 1));
  const numbered = headings.filter((heading) => numberDepth(heading.text) > 0).length;
  if (numbered >= 2 && numbered >= 0.4 * headings.length) return levels;
  return new Set(
    [...levels].filter((level) =>
      countsUp(headings.filter((heading) => (heading.level ?? 1) === level)),
    ),
  );
}

/**
 * The level of the document's own title: a heading above all others that occurs once, at the beginning. It applies to
 * every section, so it is not used in their titles.
 */
function documentTitleLevel(headings: readonly Block[]): number {
  const [first, ...others] = headings;
  const level = first?.level ?? 0;
  return others.length >= 3 && others.every((heading) => (heading.level ?? 0) > level) ? level : 0;
}

/** Splits the document at its headings. Text before the first heading gets the title `opening`. */
export function cutChapters(blocks: readonly Block[], opening: string): Chapter[] {
  const headings = blocks.filter((block) => block.kind === 'heading');
  const numbered = numberedLevels(headings);
  const root = documentTitleLevel(headings);
  const chapters: Chapter[] = [];
  const stack: { level: number; title: string }[] = [];
  let current: Chapter | undefined;
  for (const block of blocks) {
    if (block.kind === 'heading') {
      const level = block.level ?? 1;
      while ((stack.at(-1)?.level ?? 0) >= level) stack.pop();
      const title = withoutMarks(stripNumber(block.text, numbered.has(level)));
      stack.push({ level, title });
      const path = stack
        .filter((each) => each.level !== root || stack.length === 1)
        .map((each) => each.title);
      // Contents and indexes are never the chapter of what comes after them.
      if (isContentsTitle(title)) stack.pop();
      const printed = block.printed ?? block.text;
      current = {
        path,
        level,
        printed,
        blocks: [],
        pageFrom: block.pageFrom,
        pageTo: block.pageTo,
      };
      chapters.push(current);
      continue;
    }
    if (current === undefined) {
      current = {
        path: [opening],
        level: 1,
        printed: '',
        blocks: [],
        pageFrom: block.pageFrom,
        pageTo: block.pageTo,
      };
      chapters.push(current);
    }
    current.blocks.push(block);
    current.pageTo = Math.max(current.pageTo, block.pageTo);
  }
  return chapters.filter(
    ({ path, blocks: own }) => own.length > 0 || !isContentsTitle(path.at(-1) ?? ''),
  );
}

/**
 * Leaves out numbered headings that have nothing below them, which a document keeps for text that is still to be
 * written, or for a picture. Large words without a number, or an item, may be all that is said, such as a warning.
 */
export function dropEmpty(chapters: readonly Chapter[]): Chapter[] {
  // From bottom to top: without its lesser headings, a heading may have nothing either.
  const kept: Chapter[] = [];
  for (const chapter of [...chapters].reverse()) {
    const isEmpty = chapter.blocks.length === 0 && (kept.at(-1)?.level ?? 0) <= chapter.level;
    if (!isEmpty || numberDepth(chapter.printed) < 2) kept.push(chapter);
  }
  return kept.reverse();
}
