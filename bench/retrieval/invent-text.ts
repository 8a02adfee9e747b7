import { splitSentences } from '../../src/language/sentences.js';
import { createRandom, type Random } from '../random.js';

/** Texts that read like those of a sample, as many as one wants, the same ones in each run. */
export interface TextInventor {
  title(): string;
  /** Paragraphs of at least so many characters. */
  text(length: number): string;
}

/** Share of the words beyond the most frequent that stay as the sentence has them: its phrases in part. */
const keptShare = 0.15;
/** Function words and the like, which stay where they stand. */
const frequentWords = 120;
/** Words that no sample holds, by falling frequency: a text ten times as long has many times as many rare words. */
const inventedWords = 400_000;
const firstInvented = 50;

/**
 * Sentences of a sample in which words are swapped for others, each as often as a longer text would have it: what
 * the sample holds once is rarer than that, and its share goes to words of which the sample has none yet
 * (Good 1953). So an index of 100,000 passages has the frequent, the rare and the unique words of a real one,
 * and no passage twice.
 */
export function inventText(sample: string, seed: number): TextInventor {
  const random = createRandom(seed);
  const sentences = sentencesOf(sample);
  const vocabulary = vocabularyOf(sentences, random);
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const sentence = () =>
    (pick(sentences) ?? '').replaceAll(word, (one) => {
      if (vocabulary.isFrequent(one) || random() < keptShare) return one;
      const other = vocabulary.draw();
      return /^\p{Lu}/u.test(one) ? capitalised(other) : other;
    });
  return {
    title: () => capitalised([vocabulary.draw(), vocabulary.draw()].join(' ')),
    text(length) {
      const paragraphs: string[] = [];
      for (let written = 0; written < length;) {
        const count = 3 + Math.floor(random() * 4);
        const paragraph = Array.from({ length: count }, sentence).join(' ');
        paragraphs.push(paragraph);
        written += paragraph.length;
      }
      return paragraphs.join('\n\n');
    },
  };
}

const word = /\p{L}[\p{L}\p{M}\p{N}]*/gu;

function sentencesOf(sample: string): string[] {
  return splitSentences(sample)
    .map(({ text }) => text.replaceAll(/\s+/g, ' '))
    .filter((text) => {
      const words = text.match(word)?.length ?? 0;
      return words >= 6 && words <= 60 && /[.!?]$/.test(text);
    });
}

function vocabularyOf(sentences: readonly string[], random: Random) {
  const counts = new Map<string, number>();
  for (const found of sentences.join(' ').toLowerCase().match(word) ?? []) {
    counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  const ranked = [...counts].sort(([, a], [, b]) => b - a);
  const frequent = new Set(ranked.slice(0, frequentWords).map(([text]) => text));
  const rest = ranked.slice(frequentWords);
  const having = (count: number) => rest.filter(([, each]) => each === count).length;
  const total = rest.reduce((sum, [, count]) => sum + count, 0);
  const unseen = having(1) / total;
  /** What a word seen one to four times counts in a longer text. */
  const adjusted = [1, 2, 3, 4].map((count) => ((count + 1) * having(count + 1)) / having(count));
  const sums: number[] = [];
  let sum = 0;
  for (const [, count] of rest) {
    // A small sample may have no word of some count.
    const longer = adjusted[count - 1] ?? count;
    sum += longer > 0 && Number.isFinite(longer) ? longer : count;
    sums.push(sum);
  }
  const invented = (): string => {
    // Zipf's law: the logarithm of the rank is even. What the sample lacks is not frequent.
    const rank = Math.floor(firstInvented * (inventedWords / firstInvented) ** random());
    const head = rest[(rank * 7919) % rest.length]?.[0] ?? '';
    const tail = rest[(rank * 104_729) % rest.length]?.[0] ?? '';
    return head.slice(0, Math.ceil(head.length * 0.6)) + tail.slice(Math.floor(tail.length / 2));
  };
  return {
    isFrequent: (text: string) => frequent.has(text.toLowerCase()),
    draw: () => (random() < unseen ? invented() : (rest[below(sums, random() * sum)]?.[0] ?? '')),
  };
}

/** The first index whose sum is above the value. */
function below(sums: readonly number[], value: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
