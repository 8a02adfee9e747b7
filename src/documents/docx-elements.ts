import { valueOf, type Style } from './docx-styles.js';
import { childrenOf, findElement, type Element } from './tree.js';

/** Where a run stands, as far as it decides whether people see it. */
export interface Ground {
  isShaded: boolean;
  /** Within a cell, where the number of a list may stand alone. */
  isCell?: boolean;
}

/** True for a table of contents, and for words that ask to be replaced. */
export function isLeftOut(box: Element): boolean {
  const [properties] = childrenOf(box, 'w:sdtPr');
  if (properties !== undefined && childrenOf(properties, 'w:showingPlcHdr').length > 0) return true;
  const gallery = findElement(box, ({ name }) => name === 'w:docPartGallery');
  return /table of contents|bibliograph/i.test(gallery?.attributes['w:val'] ?? '');
}

/** The colour behind a paragraph or run, if it has one. */
export function shadeOf(properties: Element): string | undefined {
  const [shade] = childrenOf(properties, 'w:shd');
  const fill = shade?.attributes['w:fill'] ?? 'auto';
  return /^(?:auto|ffffff)$/i.test(fill) ? undefined : fill;
}

export function hasShade(properties: Element): boolean {
  return shadeOf(properties) !== undefined || childrenOf(properties, 'w:highlight').length > 0;
}

/** In points, of a paragraph's first line, up to a page's width. */
export function indentOf(properties: Element): number {
  const own = childrenOf(properties, 'w:ind')[0]?.attributes ?? {};
  const twips = (name: string) => Number.parseInt(own[`w:${name}`] ?? '0', 10) || 0;
  const left = twips('left') || twips('start');
  return Math.min(600, Math.max(0, (left + twips('firstLine') - twips('hanging')) / 20));
}

/** True for a run that is underlined itself, and not as a link. */
export function isUnderlinedRun(properties: Element | undefined): boolean {
  const line = properties === undefined ? undefined : valueOf(properties, 'w:u');
  return line !== undefined && line !== 'none';
}

/** True for a run that is raised as such, or by its place in smaller type than that of its paragraph. */
export function isRaisedRun(
  properties: Element | undefined,
  own: Style,
  paragraph: Style,
): boolean {
  if (properties === undefined) return false;
  const place = valueOf(properties, 'w:vertAlign');
  if (place !== undefined) return place === 'superscript';
  const isSmall = (own.size ?? 0) < (paragraph.size ?? 0);
  return isSmall && Number(valueOf(properties, 'w:position') ?? 0) > 0;
}

/** The style with which a run is hidden, as an element of HTML would be. */
export function whyHiddenRun(
  style: Style,
  properties: Element | undefined,
  ground: Ground,
): string | undefined {
  if (style.isHidden) return 'display:none';
  if (style.size !== undefined && style.size < 4) return 'font-size:0';
  if (properties === undefined || ground.isShaded || hasShade(properties)) return undefined;
  return /^ffffff$/i.test(valueOf(properties, 'w:color') ?? '') ? 'color:white' : undefined;
}

/** True for the reference of a note that has a mark of its author's behind it, in place of a number. */
export function hasOwnMark(reference: Element): boolean {
  return /^(?:1|true|on)$/.test(reference.attributes['w:customMarkFollows'] ?? '');
}

/** A note without the mark that its author typed in front of it. */
export function withoutMark(note: Element): Element {
  const [first] = childrenOf(note, 'w:p');
  const [run] = first === undefined ? [] : childrenOf(first, 'w:r');
  const [properties] = run === undefined ? [] : childrenOf(run, 'w:rPr');
  if (first === undefined || properties === undefined) return note;
  const isMark =
    /^(?:foot|end)note/i.test(valueOf(properties, 'w:rStyle') ?? '') ||
    valueOf(properties, 'w:vertAlign') === 'superscript';
  if (!isMark) return note;
  const bare = { ...first, children: first.children.filter((child) => child !== run) };
  return { ...note, children: note.children.map((child) => (child === first ? bare : child)) };
}
