import type { HiddenText } from '../pdf/layout/page.js';
import type { Block } from '../sections/block.js';
import { headingOf, type Chapter } from '../sections/chapter.js';
import { foldClauses } from '../sections/fold-clauses.js';
import { languagesOf } from '../sections/language.js';
import { sizeSections } from '../sections/size-sections.js';
import type { SizeLimits } from '../sections/split-long.js';
import { numberDepth, stripNumber, titleKey, isContentsTitle } from '../sections/titles.js';
import { withoutEscapes } from '../platform/text/escape-markdown.js';
import { textDirective } from '../platform/text/page-words.js';
import { withoutLinks } from '../platform/text/source-links.js';
import { languages, type Language } from '../language/language-pack.js';
import { writeBlocks, type TreeOptions } from './blocks-of-tree.js';
import { withoutContents } from './contents-list.js';
import { withoutFoot } from './document-foot.js';
import { addressOpener } from './document-links.js';
import type { DocumentSection } from './document.js';
import { withName } from './stated-title.js';
import type { Element } from './tree.js';

/** A document as a tree of HTML's elements, whatever its kind. */
export interface DocumentTree {
  body: Element;
  /** The title that the file states; may be empty. */
  title: string;
  /** The title that stands in the text above all headings, if it is none of them. */
  heading?: string;
  /** The language that the file states. */
  language: string | undefined;
  /** The contents of footnotes, by the names in `note-ref` elements. */
  notes: ReadonlyMap<string, Element>;
  /** Text that was found hidden before the tree was made, and programs inside of the file. */
  hidden: HiddenText[];
  /** True where addresses can name headings: of a page. Else paragraphs before the first heading are counted. */
  hasAddress: boolean;
  /** True for kinds of documents whose foot stands in their text: pages and Markdown. */
  hasFoot?: boolean;
}

/** Where a document comes from. */
export interface Origin {
  address?: string | undefined;
  fileName: string;
}

export interface DocumentText {
  sections: DocumentSection[];
  hidden: HiddenText[];
}

/** In characters. */
const longestOpening = 160;
/** In characters: a longer text above the first heading is about something else. */
const longestLead = 1000;

/**
 * Turns a document into sections of the sizes that PDFs' sections have, with the same titles: the headings above each,
 * from the outermost.
 */
export function sectionsOfTree(
  tree: DocumentTree,
  limits: SizeLimits,
  { address, fileName }: Origin,
): DocumentText {
  const open = addressOpener(address);
  const links = new ShortLinks();
  const { blocks, anchors, hidden } = writeBlocks(
    withoutContents(tree.hasFoot === true ? withoutFoot(tree.body) : tree.body),
    {
      notes: tree.notes,
      openAddress: (href) => links.shortened(open(href)),
      nameHeading: headingNamer(address !== undefined),
      countsParagraphs: !tree.hasAddress,
    },
  );
  const cut = sizeSections(
    cutChapters(blocks, openingOf(tree, blocks, fileName), withName(tree.heading ?? '', fileName)),
    limits,
  );
  const sized = cut.map((section) => ({ ...section, content: links.written(section.content) }));
  const found = languagesOf(sized.map(({ content }) => content));
  const stated = languageNamed(tree.language);
  const isSure = found.filter((language) => language === stated).length >= 0.5 * found.length;
  const headings = new Map(
    blocks.flatMap(({ kind, text, pageFrom }) =>
      kind === 'heading' ? [[pageFrom, text] as const] : [],
    ),
  );
  const sections = sized.map(({ title, content, pageFrom, blocks: own }, at): DocumentSection => {
    const language = found[at] ?? 'other';
    // Short texts tell no language. What the file states is true of them, if it is true of the others.
    return {
      title,
      content,
      language:
        stated !== undefined && (isSure || sized.length === 1) && content.length < 400
          ? stated
          : language,
      pageFrom: null,
      pageTo: null,
      anchor: anchors[pageFrom] ?? null,
      ...furtherAnchors(own, pageFrom, anchors, headings),
    };
  });
  return { sections, hidden: [...tree.hidden, ...hidden] };
}

/**
 * Numbers in place of addresses while sections are cut, so that their size is that of their words. A text has no
 * character 0, which marks the numbers.
 */
class ShortLinks {
  readonly #numbers = new Map<string, number>();

  shortened(address: string | undefined): string | undefined {
    if (address?.startsWith('source:') !== true) return address;
    const number = this.#numbers.get(address) ?? this.#numbers.size;
    this.#numbers.set(address, number);
    return `source:\0${number}`;
  }

  written(content: string): string {
    if (!content.includes('\0')) return content;
    const addresses = [...this.#numbers.keys()];
    return content.replaceAll(
      /source:\0(\d+)/g,
      (_, number: string) => addresses[Number(number)] ?? '',
    );
  }
}

/** The anchors in a section that several headings share, below its first one. */
function furtherAnchors(
  blocks: readonly Block[],
  first: number,
  anchors: readonly (string | null)[],
  headings: ReadonlyMap<number, string>,
): Pick<DocumentSection, 'anchors'> {
  const places = new Set(blocks.map(({ pageFrom }) => pageFrom));
  const further = [...places].flatMap((place): [string, string][] => {
    const anchor = anchors[place];
    const heading = headings.get(place);
    return place === first || heading === undefined || !anchor ? [] : [[anchor, heading]];
  });
  return further.length === 0 ? {} : { anchors: Object.fromEntries(further) };
}

/** The title of what is above the first heading: that of the file, else its first words, else its name. */
function openingOf({ title }: DocumentTree, blocks: readonly Block[], fileName: string): string {
  const stated = stripNumber(title, false);
  if (stated.length > 1) return stated.slice(0, longestOpening);
  const at = blocks.findIndex(({ kind }) => kind === 'heading');
  const above = blocks.slice(0, Math.max(0, at)).reduce((sum, { text }) => sum + text.length, 0);
  const heading = above > longestLead ? undefined : blocks[at]?.text;
  if (heading !== undefined) return heading.slice(0, longestOpening);
  const [first] = blocks;
  const words = first?.kind === 'paragraph' ? withoutEscapes(withoutLinks(first.text)) : '';
  const isTitle = words.length >= 3 && words.length <= 80 && !/[.,;:!?]$/.test(words);
  return isTitle ? words : nameInWords(fileName);
}

/** `getting-started.md` as "Getting started", and `pump--pump.txt` as "Pump". */
export function nameInWords(fileName: string): string {
  const words = fileName
    .replace(/\.[^.]+$/, '')
    .replaceAll(/[-_\s]+/g, ' ')
    .replaceAll(/(?<!\S)(\S+) \1(?!\S)/gi, '$1')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Splits the blocks at their headings. A title that only names the contents of the document has no chapter. */
function cutChapters(blocks: readonly Block[], opening: string, heading: string): Chapter[] {
  const headings = blocks.filter(({ kind }) => kind === 'heading');
  const numbered = headings.filter(({ text }) => numberDepth(text) > 0).length;
  const areNumbered = numbered >= 2 && numbered >= 0.4 * headings.length;
  const chapters: Chapter[] = [];
  const stack = heading === '' ? [] : [{ level: 0, title: stripNumber(heading, false) }];
  for (const block of blocks) {
    const { pageFrom, pageTo } = block;
    if (block.kind === 'heading') {
      const level = block.level ?? 1;
      while ((stack.at(-1)?.level ?? 0) >= level) stack.pop();
      const title = stripNumber(block.text, areNumbered);
      stack.push({ level, title });
      const path = stack.map((each) => each.title);
      if (isContentsTitle(title)) stack.pop();
      chapters.push({
        path,
        level,
        printed: block.printed ?? block.text,
        blocks: [],
        pageFrom,
        pageTo,
      });
      continue;
    }
    if (chapters.length === 0) {
      chapters.push({ path: [opening], level: 1, printed: '', blocks: [], pageFrom, pageTo });
    }
    const current = chapters.at(-1);
    current?.blocks.push(block);
    if (current !== undefined) current.pageTo = pageTo;
  }
  // The title of each section names the headings above it. One without a text of its own says nothing more.
  const told: Chapter[] = [];
  let outer: Chapter[] = [];
  /** Headings that nothing stands below. */
  const lead: Block[] = [];
  for (const chapter of foldClauses(chapters)) {
    const isAround = ({ path }: Chapter) => path.every((title, at) => title === chapter.path[at]);
    for (const bare of outer.filter((each) => !isAround(each) && each.path.length > 1)) {
      if (isContentsTitle(bare.path.at(-1) ?? '')) continue;
      // Two questions may have one answer. A heading deeper than what follows ends the text above it.
      const above = bare.level <= chapter.level ? undefined : told.at(-1);
      (above?.blocks ?? lead).push(...headingOf(bare));
    }
    outer = outer.filter(isAround);
    if (chapter.blocks.length === 0) outer.push(chapter);
    else if (!isContents(chapter))
      told.push({ ...chapter, outer: outer.splice(0), lead: lead.splice(0) });
  }
  const [first, second] = told;
  // The text above the page's own heading belongs below it: a version, an author.
  const isOwn = heading === '' && titleKey(second?.path[0] ?? '') === titleKey(opening);
  if (first?.printed === '' && second !== undefined && (isOwn || isMark(first.blocks))) {
    return [{ ...second, lead: first.blocks }, ...told.slice(2)];
  }
  return told;
}

/** True for so few words, without a sentence, that they say nothing by themselves: a version, the name of a package. */
function isMark(blocks: readonly Block[]): boolean {
  const length = blocks.reduce((sum, { text }) => sum + withoutLinks(text).length, 0);
  return length <= 100 && !blocks.some(({ kind, text }) => kind === 'code' || /[.!?]$/.test(text));
}

/** True for a list of the document's own headings. */
function isContents({ path, blocks }: Chapter): boolean {
  const isLine = ({ kind, text }: Block) =>
    kind === 'paragraph' && text.length <= 80 && !/[.,;:!?]$/.test(text);
  return (
    isContentsTitle(path.at(-1) ?? '') &&
    blocks.every((block) => /^(?:item|table|code)$/.test(block.kind) || isLine(block))
  );
}

function languageNamed(name: string | undefined): Language | undefined {
  const code = name?.trim().toLowerCase().slice(0, 2);
  return languages.find((language) => language === code && language !== 'other');
}

/** Ids for headings as GitHub makes them; for a page that has none, the address of its text. */
function headingNamer(isPage: boolean): TreeOptions['nameHeading'] {
  if (isPage) return (title) => `:~:${textDirective(title)}`;
  const used = new Map<string, number>();
  return (title) => {
    // Numbers change when a chapter is inserted.
    const slug =
      stripNumber(title, true)
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/gu, '-') || 'section';
    const before = used.get(slug) ?? 0;
    used.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  };
}
