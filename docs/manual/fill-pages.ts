import type { Strip } from './lay-out-blocks.js';
import { page } from './page-style.js';
import type { Heading } from './read-manual.js';

export interface PlacedStrip {
  strip: Strip;
  /** In points from the top of the page. */
  y: number;
}

/** A page of the body, and where in the manual it stands: what its running header says. */
export interface BodyPage {
  part: Heading | undefined;
  /** The chapter that the page begins with, or the first that begins on it. */
  chapter: Heading | undefined;
  strips: PlacedStrip[];
}

/** Fills pages with strips, in order. Strips that are kept together move to the next page together. */
export function fillPages(strips: Strip[]): BodyPage[] {
  const pages: BodyPage[] = [];
  let y: number = page.bottom;
  let part: Heading | undefined;
  let chapter: Heading | undefined;
  for (const group of groupsOf(strips)) {
    const needed = group.reduce((sum, strip) => sum + strip.spaceBefore + strip.height, 0);
    let current = pages.at(-1);
    if (
      current === undefined ||
      group.some((strip) => strip.startsPage) ||
      y + needed > page.bottom
    ) {
      for (const { heading } of group) {
        if (heading?.level === 1) [part, chapter] = [heading, undefined];
        if (heading?.level === 2) chapter = heading;
      }
      current = { part, chapter, strips: [] };
      pages.push(current);
      y = page.top;
    }
    for (const strip of group) {
      if (strip.heading?.level === 2) chapter = strip.heading;
      current.chapter ??= chapter;
      y += current.strips.length === 0 ? 0 : strip.spaceBefore;
      current.strips.push({ strip, y });
      y += strip.height;
    }
  }
  return pages;
}

function groupsOf(strips: Strip[]): Strip[][] {
  const groups: Strip[][] = [];
  let open = false;
  for (const strip of strips) {
    if (open) groups.at(-1)?.push(strip);
    else groups.push([strip]);
    open = strip.keepWithNext;
  }
  return groups;
}
