import type { Line } from '../layout/page.js';
import type { BodyStyle } from './body-style.js';
import { isCaptionText } from '../../sections/labels.js';
import type { Candidate } from './heading-levels.js';
import { hasWords } from '../../sections/titles.js';

/** With fewer of them, a label is no part of a form that all entries share. */
const leastEntries = 5;
/** A label is below the heads of entries at this share of its places. */
const usual = 0.8;
const longestLabel = 40;
const longestHead = 100;
/** In the running text's distance of lines: the least space above the head of an entry. */
const leastGap = 1.3;

/** The places of each label, which ends with a colon and has a line of its own. */
function placesOfLabels(lines: readonly Line[]): number[][] {
  const places = new Map<string, number[]>();
  for (const [at, { text }] of lines.entries()) {
    if (text.length > longestLabel || !/\p{L}{3}\s?:$/u.test(text)) continue;
    const known = places.get(text);
    if (known === undefined) places.set(text, [at]);
    else known.push(at);
  }
  return [...places.values()].filter(({ length }) => length >= leastEntries);
}

/** False for text: "fade : makes curves of more than six words" is no sentence, because all of its kind have a label. */
function isHeadText(text: string): boolean {
  return (
    text.length <= longestHead && hasWords(text) && !/[.,;:!]$/.test(text) && !isCaptionText(text)
  );
}

/**
 * Finds the heads of entries in the type of the text: each stands apart above the same label, such as "Usage:", that
 * returns in all of them.
 */
export function findEntryHeads(
  lines: readonly Line[],
  body: BodyStyle,
): Omit<Candidate, 'style'>[] {
  const isBelow = (upper: Line | undefined, lower: Line) =>
    upper?.page === lower.page && upper.region === lower.region;
  const isHead = (at: number) => {
    const [before, line, label] = [lines[at - 1], lines[at], lines[at + 1]];
    if (line === undefined || label === undefined || !isBelow(line, label) || line.mono)
      return false;
    const isApart =
      !isBelow(before, line) || line.y - (before?.y ?? 0) > leastGap * body.leading * body.size;
    return isApart && isHeadText(line.text);
  };
  return placesOfLabels(lines).flatMap((places) => {
    const heads = places.map((at) => at - 1).filter(isHead);
    const texts = new Set(heads.map((at) => lines[at]?.text));
    if (texts.size < leastEntries || texts.size < usual * places.length) return [];
    return heads.flatMap((at): Omit<Candidate, 'style'>[] => {
      const line = lines[at];
      return line === undefined ? [] : [{ lines: [line], text: line.text, at }];
    });
  });
}
