import type { AnswerKind } from '../language/language-pack.js';
import type { WeighedUnit } from './weigh-passages.js';

/** How far a section must be what is asked for (UnitSigns.headed) to be quoted from its beginning. */
const isAsked = 0.5;
/** And where a list is asked for, which a section lists that has the things in its heading: "Roles and their rights". */
const isAskedForList = 0.4;
/** Characters of a section beyond which a table or a list that is not its first part is left out. */
const longestSection = 1200;
const listItem = /^\s*(?:[-*+•‣◦–]|\d{1,3}[.)])\s/;
const step = /^\s*(?:\d{1,3}[.)]\s|```|~~~)/;

/**
 * The beginning of the section whose heading is what is asked ("exit codes", "How do I update?", "Which roles are
 * there?"), in at most so many parts: a sentence is one, as is a list, a table, or code with what leads it in.
 * Undefined where the best sentence stands in no such section, or the question wants a number, a time or a name.
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
  // A long section is cut into several passages.
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

/** What there is of a kind is said in one paragraph, all of it, or in what its only sentence leads in. */
function firstList(parts: WeighedUnit[][], maxParts: number): WeighedUnit[][] {
  const end = parts.findIndex(([first], index) => index > 0 && first?.continues !== true);
  const paragraph = parts.slice(0, end === -1 ? undefined : end);
  const isLeadIn = paragraph.length === 1 && paragraph[0]?.[0]?.signs.kind !== 1;
  return isLeadIn ? parts.slice(0, maxParts) : [paragraph.flat()];
}

/** Who asks for a way wants the steps or the command, and what else of the section speaks most of it. */
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
