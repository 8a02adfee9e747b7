import { queryTerms } from '../language/analyze.js';
import type { Language } from '../language/language-pack.js';
import { withoutMasks } from '../platform/text/mask-personal-data.js';

interface Grouped {
  text: string;
  language: Language;
}

interface Group<Q> {
  questions: Q[];
  stems: ReadonlySet<string>;
}

/** Two questions are of one topic when they share this part of the weight of their stems. */
const leastShared = 0.5;

/**
 * Groups questions of one meaning: of the same language, with most stems in common, each stem weighed by its rarity among
 * the questions. Masks of personal data do not count. The wording that occurs most often leads its group.
 */
export function groupQuestions<Q extends Grouped>(questions: readonly Q[]): Q[][] {
  const worded = new Map<string, Group<Q>>();
  for (const question of questions) {
    const stems = stemsOf(question);
    const key = `${question.language} ${[...stems].sort().join(' ')}`;
    const same = worded.get(key);
    if (same === undefined) worded.set(key, { questions: [question], stems });
    else same.questions.push(question);
  }
  const wordings = [...worded.values()].sort((a, b) => b.questions.length - a.questions.length);
  const weigh = weightsOf(wordings);
  const groups: Group<Q>[] = [];
  const byStem = new Map<string, Group<Q>[]>();
  for (const wording of wordings) {
    const group = nearest(wording, byStem, weigh);
    if (group !== undefined) {
      group.questions.push(...wording.questions);
      continue;
    }
    groups.push(wording);
    for (const stem of wording.stems) byStem.set(stem, [...(byStem.get(stem) ?? []), wording]);
  }
  return groups.map((group) => group.questions);
}

/** The stems of a question without function words; of a question without any other word, all of its words. */
function stemsOf({ text, language }: Grouped): ReadonlySet<string> {
  const terms = queryTerms(withoutMasks(text));
  const telling = terms.filter(({ isStopWord }) => !isStopWord);
  const stems = (telling.length === 0 ? terms : telling).map(
    ({ variants, text }) => [...variants].sort((a, b) => a.length - b.length)[0] ?? text,
  );
  // The language keeps equal stems of two languages apart.
  return new Set(stems.map((stem) => `${language}:${stem}`));
}

/** A stem of every wording weighs 1, one of a thousand wordings 2.5. */
function weightsOf(wordings: readonly Group<unknown>[]): (stem: string) => number {
  const counts = new Map<string, number>();
  for (const { stems } of wordings) {
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return (stem) => 1 + Math.log10(wordings.length / (counts.get(stem) ?? 1)) / 2;
}

function nearest<Q>(
  { stems }: Group<Q>,
  byStem: ReadonlyMap<string, Group<Q>[]>,
  weigh: (stem: string) => number,
): Group<Q> | undefined {
  const shared = new Map<Group<Q>, number>();
  for (const stem of stems) {
    for (const group of byStem.get(stem) ?? []) {
      shared.set(group, (shared.get(group) ?? 0) + weigh(stem));
    }
  }
  const own = sumOf(stems, weigh);
  let best: Group<Q> | undefined;
  let most = leastShared;
  for (const [group, weight] of shared) {
    const share = weight / (own + sumOf(group.stems, weigh) - weight);
    if (share < most || (share === most && best !== undefined)) continue;
    [best, most] = [group, share];
  }
  return best;
}

function sumOf(stems: ReadonlySet<string>, weigh: (stem: string) => number): number {
  let sum = 0;
  for (const stem of stems) sum += weigh(stem);
  return sum;
}
