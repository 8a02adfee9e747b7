import type { FoundPassage } from '../search/search-passages.js';
import { isMeasure } from '../language/answer-kinds.js';
import type { Quotable } from './find-likely.js';
import {
  footnoteIn,
  raised,
  replaceFootnotes,
  withoutFootnoteSigns,
} from '../platform/text/footnotes.js';
import { quoteSection } from './quote-section.js';
import type { WeighedUnit } from './weigh-passages.js';

/** A quoted answer: its passages in the order of their citations, [1] first. */
export interface ExtractedAnswer {
  text: string;
  cited: FoundPassage[];
  /** The first quotation from each passage, verbatim, by passage id. */
  quotes: ReadonlyMap<number, string>;
}

const code = /^\s*(?:```|~~~)/;
const itemNumber = /^\s*\d{1,3}[.)]\s+/;
/** Enough sentences are chosen once the answer is among them with this probability. */
const sureEnough = 0.85;
/** A further sentence must be the answer with at least this probability. */
const worthReading = 0.1;

/**
 * The sentences that most likely answer each question, verbatim and in the order of the text, each passage with its
 * [n], the best one first.
 */
export function extractAnswer(
  { quotable }: { quotable: readonly Quotable[] },
  passages: FoundPassage[],
  maxSentences: number,
): ExtractedAnswer {
  const given = new Map(passages.map((passage) => [passage.id, passage]));
  const answering = quotable.filter(({ weighed }) =>
    weighed.some(({ passage }) => given.has(passage.id)),
  );
  const most = Math.ceil(maxSentences / Math.max(1, answering.length));
  const chosen: WeighedUnit[] = [];
  for (const question of answering) {
    for (const quoted of quoteFor(question, given, most)) {
      const unit = { ...quoted, passage: given.get(quoted.passage.id) ?? quoted.passage };
      const isSame = (one: WeighedUnit) =>
        one.passage === unit.passage && one.position === unit.position;
      if (!chosen.some(isSame)) chosen.push(unit);
    }
  }
  const cited: FoundPassage[] = [];
  const footnotes = collectFootnotes(chosen);
  const parts = chosen.map((unit, index): Part => {
    if (!cited.includes(unit.passage)) cited.push(unit.passage);
    const next = chosen[index + 1];
    const mark =
      next?.passage === unit.passage ? '' : `${gapAfter(unit)}[${cited.indexOf(unit.passage) + 1}]`;
    const before = chosen[index - 1];
    const isRow = unit.head !== undefined;
    const isSameTable = isRow && before?.passage === unit.passage && before.head === unit.head;
    const head = isRow && !isSameTable ? `${unit.head}\n` : '';
    const goesOn =
      unit.continues && before?.passage === unit.passage && before.position === unit.position - 1;
    // A table needs blank lines around it, also beside a list or a sentence.
    const isApart = isRow !== (before?.head !== undefined) || (isRow && !isSameTable);
    // A single step needs no number.
    const isCounted = chosen.some(
      (one) => one !== unit && one.passage === unit.passage && itemNumber.test(one.text),
    );
    const text = isCounted ? unit.text : unit.text.replace(itemNumber, '');
    return { text: `${head}${footnotes.show(text, unit.passage)}${mark}`, goesOn, isApart };
  });
  const quotes = new Map(chosen.toReversed().map(({ passage, text }) => [passage.id, text]));
  return { text: joinParts(parts) + footnotes.text(), cited, quotes };
}

/**
 * Shows the signs of footnotes as people expect them. A mark whose footnote stands in the same passage is raised, and the
 * footnote follows below the answer. Other marks say nothing, and are left out. Each document counts from 1, so an answer
 * counts anew.
 */
function collectFootnotes(chosen: readonly WeighedUnit[]) {
  const numbers = new Map<string, number>();
  let below = '';
  return {
    show: (text: string, passage: FoundPassage): string =>
      replaceFootnotes(text, {
        note: () => '',
        mark(name) {
          const isQuoted = chosen.some(
            (unit) => unit.passage === passage && unit.text.startsWith(`[^${name}]:`),
          );
          const footnote = isQuoted ? undefined : footnoteIn(passage.body, name);
          if (footnote === undefined) return '';
          const key = `${passage.id} ${name}`;
          const known = numbers.get(key);
          const number = known ?? numbers.size + 1;
          numbers.set(key, number);
          const sign = raised(String(number));
          if (known === undefined) below += `\n\n${sign} ${withoutFootnoteSigns(footnote)}`;
          return sign;
        },
      }),
    text: () => below,
  };
}

/**
 * The quotation for one question: the beginning of a section that has the question as its heading, or the best
 * sentences. A sentence that needs another one is preceded by it.
 */
function quoteFor(
  { weighed, kind }: Quotable,
  given: ReadonlyMap<number, FoundPassage>,
  most: number,
): WeighedUnit[] {
  const units = weighed.flatMap((one) => (given.has(one.passage.id) ? one.units : []));
  const section = quoteSection(units, kind, most);
  const likeliest = section ?? choose(units, most);
  if (isMeasure(kind)) addMeasure(likeliest, units, most);
  if (kind === 'meaning') addFurther(likeliest, units, most);
  if (kind === 'way' && section === undefined) addSteps(likeliest, units, most);
  const rankOf = rankByBest(likeliest);
  const whole = section ?? withWhatTheyBring(likeliest, units, kind === 'way');
  return whole.toSorted(
    (a, b) =>
      (rankOf.get(a.passage) ?? 0) - (rankOf.get(b.passage) ?? 0) || a.position - b.position,
  );
}

/**
 * The text before a citation mark: after a table row it would become a cell, after a fence it would reopen the code.
 */
function gapAfter({ head, text }: WeighedUnit): string {
  if (head !== undefined) return '\n\n';
  return /(^|\n)\s*(```|~~~)\s*$/.test(text) ? '\n' : ' ';
}

/** Passages by their most likely sentence, the best first. */
function rankByBest(chosen: readonly WeighedUnit[]): Map<FoundPassage, number> {
  const sorted = chosen.toSorted((a, b) => b.score - a.score);
  return new Map(
    [...new Set(sorted.map(({ passage }) => passage))].map((one, rank) => [one, rank]),
  );
}

/** Chooses the most likely sentences until the answer is probably among them. */
function choose(units: WeighedUnit[], maxSentences: number): WeighedUnit[] {
  const sorted = [...units].sort((a, b) => b.score - a.score);
  const best = sorted[0]?.score ?? 0;
  const odds = (unit: WeighedUnit) => Math.exp(unit.score - best);
  const total = sorted.reduce((sum, unit) => sum + odds(unit), 0);
  const chosen: WeighedUnit[] = [];
  let sure = 0;
  for (const unit of sorted) {
    if (chosen.length >= maxSentences || sure >= sureEnough) break;
    const likely = odds(unit) / total;
    if (chosen.length > 0 && likely < worthReading) break;
    // Passages overlap, so a sentence may occur in two of them.
    if (chosen.some((one) => one.text === unit.text)) {
      sure += likely;
      continue;
    }
    const needed = units.find(
      (one) => one.passage === unit.passage && one.position === unit.needs?.position,
    );
    const lacks = needed !== undefined && !chosen.includes(needed);
    // "So does …" means nothing without its subject; but one sentence is better than none.
    if (lacks && chosen.length > 0 && chosen.length + 2 > maxSentences) continue;
    sure += likely;
    chosen.push(unit);
    if (lacks && chosen.length < maxSentences) {
      chosen.push(needed);
      sure += odds(needed) / total;
    }
  }
  return chosen;
}

/** When the question asks for a number, a duration or a frequency, the quotation must contain one. */
function addMeasure(chosen: WeighedUnit[], units: WeighedUnit[], maxSentences: number): void {
  if (chosen.some(({ signs }) => signs.kind > 0)) return;
  const telling = units.filter(({ signs }) => signs.kind > 0).sort((a, b) => b.score - a.score)[0];
  if (telling === undefined) return;
  if (chosen.length >= maxSentences) chosen.pop();
  chosen.push(telling);
}

/** A definition is followed by the next sentence, which usually tells what the thing does. */
function addFurther(chosen: WeighedUnit[], units: WeighedUnit[], maxSentences: number): void {
  const defined = chosen[0];
  if (defined === undefined || defined.signs.kind <= 0 || chosen.length >= maxSentences) return;
  const next = units.find(
    (one) =>
      one.passage === defined.passage && one.position === defined.position + 1 && one.continues,
  );
  if (next !== undefined && !chosen.includes(next)) chosen.push(next);
}

/** A "how" question needs the command or the steps: adds those nearest to the best sentence. */
function addSteps(chosen: WeighedUnit[], units: WeighedUnit[], maxSentences: number): void {
  const best = chosen[0];
  if (best === undefined || chosen.some((unit) => isStep(unit))) return;
  const steps = units
    .filter((unit) => unit.passage === best.passage && unit.brings.length > 0)
    .sort((a, b) => b.score - a.score)[0];
  if (steps === undefined) return;
  if (chosen.length >= maxSentences) chosen.pop();
  chosen.push(steps);
}

function isStep({ text, brings }: WeighedUnit): boolean {
  return brings.length > 0 || code.test(text);
}

/** The chosen units with the lists or code that they introduce, which count as one unit with them. */
function withWhatTheyBring(
  chosen: WeighedUnit[],
  units: WeighedUnit[],
  whole: boolean,
): WeighedUnit[] {
  const brought = units.filter((unit) =>
    chosen.some(
      (one) =>
        one.passage === unit.passage &&
        (whole || one.text.endsWith(':')) &&
        (whole || !chosen.some((other) => isPartOf(other, one))) &&
        one.brings.some(({ position }) => position === unit.position),
    ),
  );
  return [...new Set([...chosen, ...brought])];
}

/** True when an item of the introduced list was chosen itself: then the other items are left out. */
function isPartOf(unit: WeighedUnit, leadIn: WeighedUnit): boolean {
  return (
    unit.passage === leadIn.passage &&
    leadIn.brings.some(({ position }) => position === unit.position)
  );
}

interface Part {
  text: string;
  /** True when it continues the previous part's paragraph or item. */
  goesOn: boolean;
  /** True when a blank line precedes it. */
  isApart: boolean;
}

/** Joins parts: lists, tables and code keep their lines; sentences flow. */
function joinParts(parts: Part[]): string {
  let text = '';
  let wasBlock = false;
  for (const { text: part, goesOn, isApart } of parts) {
    const isBlock = /^(?:[-*+•‣◦–|]|\d+[.)]\s|```|~~~)/.test(part) || part.includes('\n');
    // A sentence directly after a list would become part of its last item.
    const isBehind = wasBlock && !isBlock && !goesOn;
    const gap = isApart || isBehind ? '\n\n' : isBlock && !goesOn ? '\n' : ' ';
    text += text === '' ? part : gap + part;
    if (goesOn) continue;
    wasBlock = isBlock;
  }
  return text;
}
