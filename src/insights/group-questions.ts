import { queryTerms } from '../language/analyze.js';
import type { Language } from '../language/language-pack.js';
import { remembering } from '../platform/remember.js';
import { withoutMasks } from '../platform/text/mask-personal-data.js';
import { giveTurns } from '../platform/workers/give-turns.js';

interface Grouped {
  text: string;
  language: Language;
}

interface Wording<Q> {
  questions: Q[];
  stems: ReadonlySet<string>;
}

/** Named by its first wording. */
interface Group<Q> extends Wording<Q> {
  /** Of all its stems. */
  weight: number;
}

/** Two questions are of one topic when they share this part of the weight of their stems. */
const leastShared = 0.5;
/** A longer question is compared by its first stems: people say early what they ask about. */
const mostStems = 40;
/** The most groups that a wording is compared with: those with its rarest stems, and the most frequent ones first. */
const mostCompared = 200;

/**
 * Groups questions with one meaning: they have the same language and most stems in common. A stem weighs more when it is
 * rare among the questions. Masks of personal data do not count. The most frequent wording leads its group. The work is
 * proportional to the number of questions, and other work gets turns meanwhile.
 */
export async function groupQuestions<Q extends Grouped>(questions: readonly Q[]): Promise<Q[][]> {
  const giveTurn = giveTurns();
  const worded = new Map<string, Wording<Q>>();
  for (const question of questions) {
    const stems = stemsOf(question);
    const key = `${question.language} ${[...stems].sort().join(' ')}`;
    const same = worded.get(key);
    if (same === undefined) worded.set(key, { questions: [question], stems });
    else same.questions.push(question);
    await giveTurn();
  }
  const wordings = [...worded.values()].sort((a, b) => b.questions.length - a.questions.length);
  const weigh = weightsOf(wordings);
  const groups: Group<Q>[] = [];
  const byStem = new Map<string, Group<Q>[]>();
  for (const wording of wordings) {
    const own = { ...wording, weight: sumOf(wording.stems, weigh) };
    const group = nearest(own, byStem, weigh);
    if (group === undefined) {
      groups.push(own);
      for (const stem of own.stems) {
        const having = byStem.get(stem);
        if (having === undefined) byStem.set(stem, [own]);
        else having.push(own);
      }
    } else {
      for (const question of wording.questions) group.questions.push(question);
    }
    await giveTurn();
  }
  return groups.map((group) => group.questions);
}

/** Remembered, because topics are formed again after each question without an answer. */
const stemsOfText = remembering(readStems, 6000);

/** The language keeps equal stems of two languages apart. */
function stemsOf({ text, language }: Grouped): ReadonlySet<string> {
  return stemsOfText(`${language}:${text}`);
}

/** The stems of a question without function words; of a question without any other word, all of its words. */
function readStems(languageAndText: string): ReadonlySet<string> {
  const [language = ''] = languageAndText.split(':', 1);
  const text = languageAndText.slice(language.length + 1);
  const terms = queryTerms(withoutMasks(text));
  const telling = terms.filter(({ isStopWord }) => !isStopWord);
  const stems = (telling.length === 0 ? terms : telling).map(
    ({ variants, text }) => [...variants].sort((a, b) => a.length - b.length)[0] ?? text,
  );
  return new Set(stems.slice(0, mostStems).map((stem) => `${language}:${stem}`));
}

/** A stem of every wording weighs 1, one of a thousand wordings 2.5. */
function weightsOf(wordings: readonly Wording<unknown>[]): (stem: string) => number {
  const counts = new Map<string, number>();
  for (const { stems } of wordings) {
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  const weights = new Map(
    [...counts].map(([stem, count]) => [stem, 1 + Math.log10(wordings.length / count) / 2]),
  );
  return (stem) => weights.get(stem) ?? 0;
}

function nearest<Q>(
  { stems, weight }: Group<Q>,
  byStem: ReadonlyMap<string, Group<Q>[]>,
  weigh: (stem: string) => number,
): Group<Q> | undefined {
  let best: Group<Q> | undefined;
  let most = leastShared;
  for (const group of comparable(stems, byStem)) {
    let shared = 0;
    for (const stem of stems) if (group.stems.has(stem)) shared += weigh(stem);
    const share = shared / (weight + group.weight - shared);
    if (share < most || (share === most && best !== undefined)) continue;
    [best, most] = [group, share];
  }
  return best;
}

/** The groups with a stem in common, those with the rarest stems first. */
function comparable<Q>(
  stems: ReadonlySet<string>,
  byStem: ReadonlyMap<string, Group<Q>[]>,
): Set<Group<Q>> {
  const found = new Set<Group<Q>>();
  const having = [...stems].map((stem) => byStem.get(stem) ?? []);
  for (const groups of having.sort((a, b) => a.length - b.length)) {
    for (const group of groups.slice(0, mostCompared)) {
      if (found.size === mostCompared) return found;
      found.add(group);
    }
  }
  return found;
}

function sumOf(stems: ReadonlySet<string>, weigh: (stem: string) => number): number {
  let sum = 0;
  for (const stem of stems) sum += weigh(stem);
  return sum;
}
