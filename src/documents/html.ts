import { decodeText } from './decode-text.js';
import { noteGrounds } from './hidden-elements.js';
import { readText } from './text.js';
import { applyStyleRules } from './style-rules.js';
import { chooseContent } from './choose-content.js';
import { placeUnderTitle } from './first-title.js';
import { nameHeadings } from './heading-classes.js';
import type { DocumentTree } from './sections-of-tree.js';
import { linkedWords, nameLinked } from './linked-headings.js';
import { titleAbove } from './stated-title.js';
import { nameTabs } from './tabs.js';
import {
  findElement,
  findElements,
  isElement,
  lineOf,
  makeElement,
  parseMarkup,
  rawText,
  type Element,
  type TreeNode,
} from './tree.js';

/** In bytes: where a page states its encoding. */
const head = 2048;

/** Reads a page of HTML: its content without navigation, banners and notices of cookies. Nothing is fetched or run. */
export function readHtml(bytes: Uint8Array): DocumentTree {
  const start = Buffer.from(bytes.subarray(0, head)).toString('latin1');
  const named = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(start)?.[1];
  const declared = /<\?xml[^>]+encoding\s*=\s*["']([\w-]+)/i.exec(start)?.[1];
  const { text } = decodeText(bytes, named ?? declared);
  const root = parseMarkup(text, 'html');
  applyStyleRules(root);
  noteGrounds(root);
  nameTabs(root);
  const page = findElement(root, ({ name }) => name === 'html') ?? root;
  const titled = findElement(root, ({ name }) => name === 'title');
  const body = chooseContent(findElement(root, ({ name }) => name === 'body') ?? page);
  spreadText(body);
  joinListings(body);
  nameHeadings(body);
  nameLinked(body, linkedWords(page));
  nameBoxes(body);
  const stated = titled === undefined ? '' : lineOf(titled);
  const heading = findElement(body, ({ name }) => name === 'h1');
  const title = pageTitle(stated, heading && lineOf(heading));
  placeUnderTitle(body);
  const name = stated.length <= longestName ? stated : title;
  const home = findElement(root, ({ name: link, attributes }) => {
    return link === 'link' && attributes['rel'] === 'home' && attributes['title'] !== undefined;
  });
  return {
    body: leadsElsewhere(root) ? makeElement('body') : body,
    title,
    heading: titleAbove(body, home?.attributes['title'] ?? '', true) || titleAbove(body, name),
    language: page.attributes['lang'] ?? page.attributes['xml:lang'],
    notes: takeNotes(body),
    hidden: [],
    hasFoot: true,
    hasAddress: true,
  };
}

/** In characters: a shorter listing is one. */
const shortestText = 2000;

/** Reads listings of running text as plain text: those of pages that a program made of a text or a manual page. */
function spreadText(body: Element): void {
  for (const listing of findElements(body, ({ name }) => name === 'pre')) {
    const text = rawText(listing);
    if (text.length < shortestText) continue;
    // A listing that was left open holds the text of the page.
    const inner = findElements(listing, ({ name }) => name === 'p');
    if (inner.reduce((sum, p) => sum + rawText(p).length, 0) > text.length / 2) {
      listing.name = 'div';
      continue;
    }
    const length = text.replaceAll(/\s+/g, ' ').length;
    const words = text.match(/(?<!\S)[\p{L}'’-]+[.,;:!?)]*(?!\S)/gu)?.length ?? 0;
    const signs = text.match(/[{}[\]<>=;$|\\_#()]/g)?.length ?? 0;
    if (words < length / 10 || signs > 0.35 * words) continue;
    listing.name = 'div';
    listing.children = readText(text).body.children;
  }
}

/** In characters: of a longer title, only the part is taken that names the page. */
const longestName = 80;

/** Makes one listing of several of the same class, one right below the other: the lines of an output. */
function joinListings(element: Element): void {
  const kept: TreeNode[] = [];
  for (const child of element.children) {
    const last = kept.findLast((node) => isElement(node) || node.trim() !== '');
    const kind = isElement(child, 'pre') ? child.attributes['class'] : undefined;
    if (kind && isElement(child) && isElement(last, 'pre') && last.attributes['class'] === kind) {
      last.children.push('\n', ...child.children);
    } else kept.push(child);
    if (isElement(child)) joinListings(child);
  }
  // A list that grew has room for more than it holds: too much for all elements of a page.
  if (kept.length < element.children.length) element.children = kept;
}

/** Makes words of the headings of boxes: "Note" is no title of what follows. */
function nameBoxes(body: Element): void {
  const isBox = ({ name, attributes }: Element) =>
    /^(?:div|aside|section)$/.test(name) &&
    /(?:^|\s)(?:note|tip|hint|warning|caution|important|admonition)(?:\s|$)/.test(
      attributes['class'] ?? '',
    );
  for (const box of findElements(body, isBox)) {
    for (const heading of findElements(box, ({ name }) => /^h[1-6]$/.test(name))) {
      heading.name = 'p';
      heading.children = [makeElement('b', heading.children)];
    }
  }
}

/** True for a page that takes its reader to another one at once. */
function leadsElsewhere(root: Element): boolean {
  const refresh = findElement(root, ({ name, attributes }) => {
    return name === 'meta' && /^refresh$/i.test(attributes['http-equiv'] ?? '');
  });
  return /^\s*[0-5]\s*[;,]\s*url\s*=/i.test(refresh?.attributes['content'] ?? '');
}

/** The title of a page without the name of its site: "Backup — Router 3.2 documentation". */
export function pageTitle(title: string, heading: string | undefined): string {
  const parts = title.split(/\s+[|–—·»«:-]+\s+/u);
  const own =
    heading === undefined ? undefined : parts.find((part) => keyOf(part) === keyOf(heading));
  return own ?? (parts.length > 1 ? (parts[0] ?? title) : title);
}

function keyOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

const noteContainer = /\b(?:footnotes?|fn|endnotes?|doc-footnote)\b/;
const noteMark = /^\[?(?:\d{1,3}|[*†‡§]+)\]?$/u;

/**
 * Finds footnotes: a short mark that leads to an element which is one by its name, role or place. Marks become
 * `note-ref` elements, and the notes are taken out of the page.
 */
function takeNotes(body: Element): Map<string, Element> {
  const notes = new Map<string, Element>();
  const marks = findElements(body, ({ name, attributes }) => {
    return name === 'a' && (attributes['href'] ?? '').startsWith('#');
  }).filter((mark) => noteMark.test(lineOf(mark)));
  if (marks.length === 0) return notes;
  const byId = new Map<string, Element[]>();
  indexNotes(body, false, byId);
  for (const mark of marks) {
    const id = (mark.attributes['href'] ?? '').slice(1);
    const note = byId.get(id);
    // The link from the note back to its mark is no mark.
    const isMark = (element: Element) => element === mark;
    if (note === undefined || note.some((part) => findElement(part, isMark) !== undefined)) {
      continue;
    }
    const children = note.flatMap(withoutBackLinks);
    notes.set(id, { name: 'div', attributes: {}, children });
    mark.name = 'note-ref';
    mark.attributes = { ref: id };
    mark.children = [];
  }
  for (const id of notes.keys()) {
    for (const part of byId.get(id) ?? []) part.children = [];
  }
  return notes;
}

/** Finds the elements of each note: one, or what follows its number: a term of Sphinx, a heading of Texinfo. */
function indexNotes(element: Element, isWithin: boolean, found: Map<string, Element[]>): void {
  const children = element.children.filter((child) => isElement(child));
  for (const [at, child] of children.entries()) {
    const { attributes, name } = child;
    const isNumber = isWithin && /^(?:dt|h[4-6])$/.test(name);
    const named = isNumber
      ? findElement(child, ({ attributes: { id } }) => id !== undefined)
      : child;
    const id = attributes['id'] ?? named?.attributes['id'] ?? '';
    const words = `${attributes['class'] ?? ''} ${attributes['role'] ?? ''} ${id}`.toLowerCase();
    const isNote = noteContainer.test(words) || /^(?:fn|ftn|footnote|note)[-_:.]?\w*$/i.test(id);
    if (id !== '' && isNumber) {
      const next = children.findIndex((other, place) => place > at && other.name === name);
      found.set(id, children.slice(at, next === -1 ? undefined : next));
    } else if (
      id !== '' &&
      (isWithin || isNote) &&
      /^(?:li|p|div|aside|dd|section|td)$/.test(name)
    ) {
      found.set(id, [child]);
    }
    indexNotes(child, isWithin || noteContainer.test(words), found);
  }
}

function withoutBackLinks({ children }: Element): Element['children'] {
  return children.flatMap((child): TreeNode[] => {
    if (!isElement(child)) return [child];
    const isBack =
      child.name === 'a' &&
      /^(?:[↩↑^⏎\u21a9\ufe0e\s]*|[[(]?\d{1,3}[\])]?|back)$/iu.test(lineOf(child));
    if (isBack) return [];
    return [{ ...child, children: withoutBackLinks(child) }];
  });
}
