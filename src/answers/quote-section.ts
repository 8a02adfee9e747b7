import type { AnswerKind } from '../language/language-pack.js';
import type { WeighedUnit } from './weigh-passages.js';

/** How well a section must match the question (UnitSigns.headed) to be quoted from its beginning. */
const isAsked = 0.5;
/** The same for a question for a list, if the heading names the things: "Roles and their rights". */
const isAskedForList = 0.4;
/** In a section longer than this many characters, a table or list that is not its first part is left out. */
const longestSection = 1200;
const listItem = /^\s*(?:[-*+•‣◦–]|\d{1,3}[.)])\s/;
const step = /^\s*(?:\d{1,3}[.)]\s|```|~~~)/;

/**
 * The beginning of the section that has the question as its heading ("exit codes", "How do I update?", "Which roles are
 * there?"), in at most `maxParts` parts. A sentence is a part, and so is a list, a table, or code with its
 * introduction. Undefined when the best sentence is in no such section, or the question asks for a number, a time or a
 * name.
 */
export function quoteSection(
  units: readonly WeighedUnit[],
  kind: AnswerKind | undefined,
  maxParts: number,
): WeighedUnit[] | undefined {
  const best = units.reduce<WeighedUnit | undefined>(
    (top, unit) => (top === undefined || unit.score > top.score ? unit : top),
    undefined,
  );
  const wanted = kind === 'list' ? isAskedForList : isAsked;
  const isWhole = kind === undefined || kind === 'list' || kind === 'way';
  if (best === undefined || !isWhole || best.signs.headed < wanted) return undefined;
  // A long section is split into several passages.
  const everywhere = units.filter(
    ({ passage, signs }) => passage.entryId === best.passage.entryId && signs.headed >= wanted,
  );
  const first = everywhere.reduce((one, unit) =>
    unit.passage.position < one.passage.position ? unit : one,
  );
  const own = units.filter(
    ({ passage, section }) => passage === first.passage && section === first.section,
  );
  const parts = kind === 'list' ? firstList(partsOf(own), maxParts) : partsOf(own);
  const chosen: WeighedUnit[] = [];
  let length = 0;
  for (const part of kind === 'way' ? withSteps(parts, maxParts) : parts.slice(0, maxParts)) {
    length += part.reduce((sum, { text }) => sum + text.length, 0);
    if (chosen.length > 0 && length > longestSection) break;
    chosen.push(...part);
  }
  return chosen;
}

/** A question for all things of a kind needs one complete paragraph, or the list that its only sentence introduces. */
function firstList(parts: WeighedUnit[][], maxParts: number): WeighedUnit[][] {
  const end = parts.findIndex(([first], index) => index > 0 && first?.continues !== true);
  const paragraph = parts.slice(0, end === -1 ? undefined : end);
  const isLeadIn = paragraph.length === 1 && paragraph[0]?.[0]?.signs.kind !== 1;
  return isLeadIn ? parts.slice(0, maxParts) : [paragraph.flat()];
}

/** A "how" question needs the steps or the command, and the section's most relevant other text. */
function withSteps(parts: WeighedUnit[][], maxParts: number): WeighedUnit[][] {
  const scoreOf = (part: WeighedUnit[]) => Math.max(...part.map(({ score }) => score));
  const steps = parts.find((part) => part.some(({ text }) => step.test(text)));
  const others = parts.filter((part) => part !== steps).sort((a, b) => scoreOf(b) - scoreOf(a));
  const chosen = new Set([...(steps === undefined ? [] : [steps]), ...others].slice(0, maxParts));
  return parts.filter((part) => chosen.has(part));
}

function partsOf(units: readonly WeighedUnit[]): WeighedUnit[][] {
  const parts: WeighedUnit[][] = [];
  for (const unit of units) {
    const part = parts.at(-1);
    const last = part?.at(-1);
    if (part !== undefined && last !== undefined && goesWith(unit, last, part)) part.push(unit);
    else parts.push([unit]);
  }
  return parts;
}

function goesWith(unit: WeighedUnit, last: WeighedUnit, part: WeighedUnit[]): boolean {
  if (unit.head !== undefined) return last.head === unit.head;
  const isList = part.some(({ text }) => listItem.test(text));
  if (isList && (listItem.test(unit.text) || unit.continues)) return true;
  return part.some(({ brings }) => brings.some(({ position }) => position === unit.position));
}
