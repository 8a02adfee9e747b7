import type { Block } from './block.js';
import { titleOf, type Chapter } from './sections.js';
import { splitLong, type SizeLimits } from './split-long.js';

export interface SizedSection {
  title: string;
  blocks: Block[];
  content: string;
  pageFrom: number;
  pageTo: number;
}

/** Items of one list follow line by line, everything else after an empty line. */
export function renderBlocks(blocks: readonly Block[]): string {
  let text = '';
  let previous: Block | undefined;
  for (const block of blocks) {
    const tight = previous?.kind === 'item' && block.kind === 'item';
    if (previous !== undefined) text += tight ? '\n' : '\n\n';
    text += block.text;
    previous = block;
  }
  return text;
}

function lengthOf(chapter: Chapter): number {
  return chapter.blocks.reduce((sum, block) => sum + block.text.length + 2, 0);
}

function isWithin(inner: Chapter, outer: Chapter): boolean {
  return (
    inner.path.length > outer.path.length &&
    outer.path.every((title, index) => inner.path[index] === title)
  );
}

function sharesParent(a: Chapter, b: Chapter): boolean {
  const parent = a.path.slice(0, -1);
  return (
    parent.length > 0 &&
    a.path.length === b.path.length &&
    parent.every((title, index) => b.path[index] === title)
  );
}

/** A chapter's heading as a line of its text, with the number by which other chapters refer to it. */
function headingOf(chapter: Chapter): Block[] {
  if (chapter.printed === '') return [];
  const { pageFrom } = chapter;
  return [{ kind: 'heading', text: `### ${chapter.printed}`, pageFrom, pageTo: pageFrom }];
}

function merge(target: Chapter, added: Chapter, path: string[]): Chapter {
  return {
    ...target,
    path,
    blocks: [...target.blocks, ...added.blocks],
    pageTo: Math.max(target.pageTo, added.pageTo),
  };
}

/**
 * Joins chapters too short to stand alone: to the parent's own text, or with their short siblings under the parent's
 * title. A heading without text of its own only names its children, whose titles hold it.
 */
function joinShort(chapters: readonly Chapter[], limits: SizeLimits): Chapter[] {
  const joined: Chapter[] = [];
  // Headings without text of their own, waiting for the chapter that they stand above.
  let waiting: Block[] = [];
  // Siblings joined under their parent's title: more may follow.
  let gathering: Chapter | undefined;
  for (const [index, bare] of chapters.entries()) {
    const next = chapters[index + 1];
    waiting.push(...headingOf(bare));
    // Nothing but a title: of a part, or the title, author and date of a paper, one below the other.
    if (
      bare.blocks.length === 0 &&
      next !== undefined &&
      (isWithin(next, bare) || bare.path.length === 1)
    )
      continue;
    const chapter = { ...bare, blocks: [...waiting, ...bare.blocks] };
    waiting = [];
    const previous = joined.at(-1);
    const short = lengthOf(chapter) < limits.sectionMinChars;
    const fits =
      previous !== undefined && lengthOf(previous) + lengthOf(chapter) <= limits.sectionMaxChars;
    if (previous !== undefined && fits) {
      const shortBefore = lengthOf(previous) < limits.sectionMinChars;
      if (isWithin(chapter, previous) && (short || shortBefore || previous === gathering)) {
        if (short || previous === gathering) {
          gathering = merge(previous, chapter, previous.path);
          joined[joined.length - 1] = gathering;
          continue;
        }
      } else if (sharesParent(previous, chapter) && (short || shortBefore)) {
        gathering = merge(previous, chapter, previous.path.slice(0, -1));
        joined[joined.length - 1] = gathering;
        continue;
      }
    }
    joined.push(chapter);
  }
  return joined;
}

/** Titles that occur again get a number, as the parts of a split section do: in a list of entries each is itself. */
function numberRepeated(sections: readonly SizedSection[]): SizedSection[] {
  const times = new Map<string, number>();
  return sections.map((section) => {
    const count = (times.get(section.title) ?? 0) + 1;
    times.set(section.title, count);
    return count === 1 ? section : { ...section, title: `${section.title} (${count})` };
  });
}

/** Brings chapters to the size of entries: short ones joined, long ones split into numbered parts. */
export function sizeSections(chapters: readonly Chapter[], limits: SizeLimits): SizedSection[] {
  const sized = joinShort(chapters, limits).flatMap((chapter): SizedSection[] => {
    const title = titleOf(chapter.path);
    const parts = splitLong(chapter.blocks, limits);
    if (parts.length === 0) {
      // A title whose page holds nothing but pictures: its words are still the document's.
      return [
        {
          title,
          blocks: [],
          content: chapter.path.at(-1) ?? '',
          pageFrom: chapter.pageFrom,
          pageTo: chapter.pageTo,
        },
      ];
    }
    return parts.map((blocks, index) => ({
      title,
      blocks,
      content: renderBlocks(blocks),
      pageFrom: Math.min(
        ...blocks.map((block) => block.pageFrom),
        index === 0 ? chapter.pageFrom : Infinity,
      ),
      pageTo: Math.max(...blocks.map((block) => block.pageTo)),
    }));
  });
  return numberRepeated(sized);
}
