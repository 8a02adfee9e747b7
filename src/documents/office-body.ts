import { withHeadings } from './office-headings.js';
import { withCode } from './office-code.js';
import { inPlainType } from './office-type.js';
import { isFilled, wordsOf, type Look, type OfficeBlock } from './office-blocks.js';
import { isElement, lineOf, makeElement, rawText, type Element } from './tree.js';

/**
 * A whole text as a tree of HTML, with headings, and the title above them if it is none of them.
 * @param stated the title by its style, if there is one
 */
export function officeBody(
  all: readonly OfficeBlock[],
  stated: string,
): { body: Element; title: string } {
  const { blocks, title } = withHeadings(withCode(inPlainType(all)), stated);
  return { body: writeBlocks(blocks), title };
}

/** In points, of monospaced type of the usual size. */
const letterWidth = 6;
/** Signs of code, without which a cell in monospaced type is a value. */
const codeSign = /[{}()[\]<>=_/\\$;|]|(?:^|\s)-{1,2}\w/;
/** Six words or more with no other signs than those of sentences, in monospaced type or not. */
const sentence = /^(?:\(?[\p{L}\d]+[),.;:]* ){5,}\(?[\p{L}\d]+[),.;:]*$/u;
/** In characters: shorter lines in a cell, without an end, are a list. */
const longestLine = 60;

/** A cell, a note or a hidden part as a tree of HTML: without headings and listings, which would break a table up. */
export function officeCell(blocks: readonly OfficeBlock[]): Element {
  /** The nearest block below each that is no empty line. */
  const below: (OfficeBlock | undefined)[] = [];
  let next: OfficeBlock | undefined;
  for (let at = blocks.length - 1; at >= 0; at--) {
    below[at] = next;
    const block = blocks[at];
    if (block !== undefined && isFilled(block)) next = block;
  }
  return writeBlocks(
    blocks.map((block, at): OfficeBlock => {
      if (block.kind === 'element') return block;
      const words = wordsOf(block);
      const isCode = block.mono === 'all' && codeSign.test(words) && !sentence.test(words);
      const nodes = isCode ? [makeElement('code', block.nodes)] : block.nodes;
      const marker = block.kind === 'item' ? block.marker : '-';
      if (block.kind === 'item' && marker === '-') {
        return { isBold: false, mono: 'none', kind: 'item', depth: 0, nodes, marker };
      }
      const marked = marker === '-' ? [...nodes] : [`${marker} `, ...nodes];
      const isParted = below[at]?.kind === 'paragraph' && areParted(words, wordsOf(below[at]));
      const last = marked.at(-1);
      if (isParted && typeof last === 'string') marked.splice(-1, 1, last.trimEnd());
      return { kind: 'paragraph', nodes: marked, isParted, isBold: false, mono: 'none' };
    }),
  );
}

/** True for two lines of a cell that are a list, and not one sentence. */
function areParted(above: string, below: string): boolean {
  if (above === '' || /[.:;,!?{\p{Pd}]$/u.test(above) || /^[{}]\W*$/.test(below)) return false;
  const areShort = above.length <= longestLine && below.length <= longestLine;
  return (
    !/^[\p{Ll}(]/u.test(below) || (areShort && /^\p{Ll}.*[^.:;,!?]$/u.test(`${above} ${below}`))
  );
}

/** Items become nested lists, and lines of monospaced type one listing. */
function writeBlocks(blocks: readonly OfficeBlock[]): Element {
  const children: Element[] = [];
  let lists: OpenList[] = [];
  let listing: { text: string; indent: number }[] = [];
  const endListing = () => {
    const filled = listing.filter(({ text }) => text !== '');
    const rows = indented(listing);
    const [only = ''] = filled.length === 1 ? indented(filled) : [];
    // The name of an option, a file or a function, alone on its line above its description.
    const isAlone = listing.length === 1 && only.length <= 40 && /^\S+$/.test(only.trim());
    if (isAlone) {
      children.push(makeElement('dt', [makeElement('code', [only.trim()])]));
    } else if (listing.length > 0) children.push(makeElement('pre', [rows.join('\n')]));
    listing = [];
  };
  for (const block of blocks) {
    if (block.kind === 'item') {
      endListing();
      lists = addItem(children, lists, block);
      continue;
    }
    lists = [];
    if (block.kind === 'element') {
      endListing();
      children.push(block.element);
      continue;
    }
    const text = lineOf(makeElement('p', block.nodes));
    if (block.level === undefined && block.mono === 'all') {
      listing.push({ text: rawText(makeElement('p', block.nodes)), indent: block.indent ?? 0 });
      continue;
    }
    if (text === '' && listing.length > 0) {
      listing.push({ text: '', indent: 0 });
      continue;
    }
    endListing();
    if (block.level !== undefined) children.push(makeElement(`h${block.level}`, block.nodes));
    else {
      // Bold words alone name what is below them, but not those of a box.
      const nodes =
        block.isBoxed !== true && isName(block, text)
          ? [makeElement('b', block.nodes)]
          : block.nodes;
      children.push(makeElement('p', nodes, block.isParted === true ? { parted: '' } : {}));
    }
  }
  endListing();
  return makeElement('#root', children);
}

/** Lines of a listing with the indents that paragraphs have in place of spaces. */
function indented(listing: readonly { text: string; indent: number }[]): string[] {
  const filled = listing.filter(({ text }) => text !== '');
  if (filled.some(({ text }) => /^\s{2}/.test(text))) {
    // What all lines have in front is the indent of the listing in its page.
    const spaces = filled.map(({ text }) => /^ */.exec(text)?.[0].length ?? 0);
    const shared = spaces.reduce((least, count) => Math.min(least, count), Infinity);
    return listing.map(({ text }) => text.slice(shared));
  }
  const left = filled.reduce((least, { indent }) => Math.min(least, indent), Infinity);
  return listing.map(({ indent, text }) =>
    text === '' ? '' : ' '.repeat(Math.round((indent - left) / letterWidth)) + text,
  );
}

/** True for words that name what is below them. */
function isName({ isBold, isUnderlined }: Look, text: string): boolean {
  return (isBold || isUnderlined === true) && !/:\/\/|\S@\S/.test(text);
}

interface OpenList {
  list: Element;
  depth: number;
}

/** Adds an item to the open list of its depth. Depths that no item has make no lists. */
function addItem(
  children: Element[],
  lists: readonly OpenList[],
  { nodes, depth, marker }: Extract<OfficeBlock, { kind: 'item' }>,
): OpenList[] {
  const open = lists.filter((each) => each.depth <= depth);
  if (open.at(-1)?.depth !== depth) {
    const list = makeElement('ul');
    const parent = open.at(-1)?.list.children.at(-1);
    if (isElement(parent)) parent.children.push(list);
    else children.push(list);
    open.push({ list, depth });
  }
  const list = open.at(-1)?.list;
  if (marker !== '-' && list !== undefined) list.name = 'ol';
  list?.children.push(makeElement('li', nodes, { marker }));
  return open;
}
