import { escapeProse } from '../platform/text/escape-markdown.js';
import type { Block } from './block.js';
import { headingOf, titleOf, type Chapter } from './chapter.js';
import { namesInOne, nameParts } from './part-name.js';
import { splitLong, type SizeLimits } from './split-long.js';

export interface SizedSection {
  title: string;
  blocks: Block[];
  content: string;
  pageFrom: number;
  pageTo: number;
}

/** Joins blocks: items of one list line by line, everything else with an empty line between. */
function renderBlocks(blocks: readonly Block[]): string {
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

function sharesChapter(a: Chapter, b: Chapter): boolean {
  return b.path.length > 1 && a.path[0] === b.path[0];
}

/** A chapter, or several short ones joined under their parent's title. */
interface Gathered extends Chapter {
  /** For joined chapters, the path of the first one. */
  first?: string[];
  /** For a chapter with short siblings behind it, the titles of all. */
  names?: string[];
}

function merge(target: Gathered, added: Chapter, path: string[]): Gathered {
  return {
    ...target,
    path,
    // The title of joined sections names no heading that is only around some of them.
    blocks: [...target.blocks, ...(added.outer ?? []).flatMap(headingOf), ...added.blocks],
    pageTo: Math.max(target.pageTo, added.pageTo),
  };
}

/**
 * Joins chapters that are too short: to the parent's own text before them, to short siblings under the parent's title,
 * or to the previous sibling. A heading without text, or with one sentence, joins the first of its children. Chapters
 * of sufficient length keep their own title.
 */
function joinShort(chapters: readonly Chapter[], limits: SizeLimits): Gathered[] {
  const isShort = (chapter: Chapter) => lengthOf(chapter) < limits.sectionMinChars;
  const joined: Gathered[] = [];
  // Headings and lead-ins that wait for the chapter below them.
  let waiting: Block[] = [];
  // Short chapters joined under their parent's title; more may follow.
  let gathering: Gathered | undefined;
  for (const [index, bare] of chapters.entries()) {
    const next = chapters[index + 1];
    const chapter = {
      ...bare,
      blocks: [...waiting, ...(bare.lead ?? []), ...headingOf(bare), ...bare.blocks],
    };
    waiting = [];
    if (next !== undefined && leadsTo(bare, next, isShort, limits)) {
      waiting = chapter.blocks;
      continue;
    }
    const previous = joined.at(-1);
    // A heading without text is no section. Splitting deals with a neighbour that becomes too long.
    if (previous !== undefined && bare.blocks.length === 0 && sharesChapter(previous, chapter)) {
      joined[joined.length - 1] = merge(previous, chapter, previous.path);
      continue;
    }
    const fits =
      previous !== undefined && lengthOf(previous) + lengthOf(chapter) <= limits.sectionMaxChars;
    if (previous !== undefined && fits && isShort(chapter)) {
      const isSibling = sharesParent(previous, chapter);
      if (isWithin(chapter, previous) || (isSibling && isShort(previous))) {
        const path = isSibling ? previous.path.slice(0, -1) : previous.path;
        // The first member's title, when an earlier group already has the parent's title.
        const first = previous.first ?? previous.path;
        gathering = { ...merge(previous, chapter, path), ...(isSibling ? { first } : {}) };
        joined[joined.length - 1] = gathering;
        continue;
      }
      const startsGroup =
        next !== undefined &&
        sharesParent(chapter, next) &&
        isShort(next) &&
        lengthOf(chapter) + lengthOf(next) >= limits.sectionMinChars;
      if (isSibling && previous !== gathering && !startsGroup) {
        const names = [...(previous.names ?? previous.path.slice(-1)), ...chapter.path.slice(-1)];
        joined[joined.length - 1] = { ...merge(previous, chapter, previous.path), names };
        continue;
      }
    }
    joined.push(chapter);
  }
  return joined;
}

/**
 * True when a chapter only introduces the next one: nothing but a title (of a part, or title, author and date of a
 * paper), or one sentence above an independent child.
 */
function leadsTo(
  chapter: Chapter,
  next: Chapter,
  isShort: (chapter: Chapter) => boolean,
  limits: SizeLimits,
): boolean {
  if (chapter.blocks.length === 0) return isWithin(next, chapter) || chapter.path.length === 1;
  return (
    isWithin(next, chapter) &&
    isShort(chapter) &&
    !isShort(next) &&
    lengthOf(chapter) + lengthOf(next) <= limits.sectionMaxChars
  );
}

interface Named {
  section: SizedSection;
  /** Longer titles, for when the section's own is already used. Few are asked for them. */
  others: () => string[];
}

/** Gives each section a title of its own, so that it can be told apart in a list of entries. The last resort counts. */
function nameRepeated(sections: readonly Named[]): SizedSection[] {
  const times = new Map<string, number>();
  return sections.map(({ section, others }) => {
    const isNew = (title: string) => !times.has(title);
    const known = isNew(section.title) ? [] : others();
    const title = known.find(isNew) ?? known.at(-1) ?? section.title;
    const count = (times.get(title) ?? 0) + 1;
    times.set(title, count);
    return { ...section, title: count === 1 ? title : `${title} (${count})` };
  });
}

/** Adjusts chapters to the size of entries: joins short ones and splits long ones into parts with names of their own. */
export function sizeSections(chapters: readonly Chapter[], limits: SizeLimits): SizedSection[] {
  const sized = joinShort(chapters, limits).flatMap((chapter): Named[] => {
    const [name = chapter.path.at(-1) ?? ''] = chapter.names ? namesInOne(chapter.names) : [];
    const title = titleOf([...chapter.path.slice(0, -1), name]);
    const others = chapter.first === undefined ? [] : [titleOf(chapter.first)];
    const parts = splitLong(chapter.blocks, limits);
    if (parts.length === 0) {
      // A title whose page has only pictures: its words are still part of the document.
      return [
        {
          others: () => others,
          section: {
            title,
            blocks: [],
            content: escapeProse(chapter.path.at(-1) ?? ''),
            pageFrom: chapter.pageFrom,
            pageTo: chapter.pageTo,
          },
        },
      ];
    }
    const names = nameParts(parts, chapter.path);
    return parts.map((blocks, index) => ({
      others: () => {
        const name = names[index] ?? [];
        const own = name.length === 0 ? [] : [titleOf([...chapter.path, ...name], 2)];
        return [...(index === 0 ? others : []), ...own];
      },
      section: {
        title,
        blocks,
        content: renderBlocks(blocks),
        pageFrom: Math.min(
          ...blocks.map((block) => block.pageFrom),
          index === 0 ? chapter.pageFrom : Infinity,
        ),
        pageTo: Math.max(...blocks.map((block) => block.pageTo)),
      },
    }));
  });
  const telling = sized.filter(({ section }) => hasText(section));
  return nameRepeated(telling.length > 0 ? telling : sized);
}

/** False for headings alone: there is nothing to publish under them. */
function hasText({ blocks }: SizedSection): boolean {
  return blocks.some(({ kind }) => kind !== 'heading');
}
