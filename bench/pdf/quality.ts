import type { ExtractedPdf } from '../../src/documents/threads/extract-pdf.js';
import type { Examples, Measure, Row } from '../measure.js';
import type { ReadFile } from './read-files.js';
import { hasPdftotext, readByPdftotext } from './readers.js';
import { beyond, countEach, scoreText, wordsOf, type Scores } from './scores.js';
import { readTruth } from './truth.js';

/** The title that an entry has of its own: of "Installation › Network settings" the last part. */
export function ownTitle(title: string): string {
  return title.split(' › ').at(-1) ?? title;
}

/** All entries as one text: each one's own title, then what it holds. */
export function textOf({ sections }: ExtractedPdf): string {
  return sections.map(({ title, content }) => `${ownTitle(title)}\n${content}`).join('\n\n');
}

type ByReader = Record<string, Scores>;

interface Scored {
  name: string;
  scores: ByReader;
  examples: Examples[];
}

export interface Quality {
  measures: Measure[];
  /** Words that cost most. */
  examples: Examples[];
}

const shownWords = 40;
/** Told for information: its layout is made for eyes, and nobody would ingest it. */
const aside = 'pdftotext -layout';

function mostOften(words: readonly string[]): string[] {
  const counts = [...countEach(words)].sort((a, b) => b[1] - a[1]);
  return counts.slice(0, shownWords).map(([word, count]) => `${word} (${count})`);
}

async function scoreFile(
  { file, ours, plain }: ReadFile,
  others: boolean,
): Promise<Scored | undefined> {
  const truth = await readTruth(file);
  if (truth === undefined || ours.extracted === undefined) return undefined;
  const texts: Record<string, string | undefined> = {
    ours: textOf(ours.extracted),
    plain: plain.plain?.text,
    ...(others && {
      pdftotext: await readByPdftotext(file.path),
      [aside]: await readByPdftotext(file.path, ['-layout']),
    }),
  };
  const scores: ByReader = {};
  for (const [reader, text] of Object.entries(texts)) {
    if (text !== undefined) scores[reader] = scoreText(text, truth);
  }
  const [own, wanted] = [wordsOf(textOf(ours.extracted)), wordsOf(truth)];
  const examplesOf = (kind: string, words: readonly string[]): Examples => ({
    file: file.name,
    kind,
    examples: [`${words.length} words: ${mostOften(words).join(', ')}`],
  });
  const examples = [
    examplesOf('words that only the truth has', beyond(wanted, own)),
    examplesOf('words that the truth does not have', beyond(own, wanted)),
  ];
  return { name: file.name, scores, examples };
}

/** Three decimals: the margins to hold are of hundredths. */
function figure(score: number): number {
  return Math.round(score * 1000) / 1000;
}

function rowsOf(scored: readonly Scored[], kind: keyof Scores): Row[] {
  const readers = [...new Set(scored.flatMap(({ scores }) => Object.keys(scores)))];
  const mean = (reader: string) =>
    scored.reduce((sum, { scores }) => sum + (scores[reader]?.[kind] ?? 0), 0) / scored.length;
  const rows: Row[] = scored.map(({ name, scores }) => {
    const row: Row = { file: name };
    for (const reader of readers) row[reader] = figure(scores[reader]?.[kind] ?? 0);
    const own = scores.ours?.[kind] ?? 0;
    row['behind'] = readers
      .filter((reader) => reader !== aside && own < (scores[reader]?.[kind] ?? 0))
      .join(', ');
    return row;
  });
  const means: Row = { file: `mean of ${scored.length}` };
  const margins: Row = { file: 'ahead of it by' };
  for (const reader of readers) {
    means[reader] = figure(mean(reader));
    margins[reader] = reader === 'ours' ? '' : figure(mean('ours') - mean(reader));
  }
  return [...rows, means, margins];
}

/** How close each reader comes to the true texts: by words, and by three words in a row. */
export async function measureQuality(files: readonly ReadFile[]): Promise<Quality> {
  const others = await hasPdftotext();
  const scored: Scored[] = [];
  for (const read of files) {
    const one = await scoreFile(read, others);
    if (one !== undefined) scored.push(one);
  }
  if (scored.length === 0) return { measures: [], examples: [] };
  const missing = others ? '' : '; pdftotext is not installed here';
  const about = (what: string) =>
    `F1 of ${what} against the true text, 1 is equal${missing}; "behind" names readers that came closer`;
  return {
    measures: [
      { name: 'quality: words', about: about('words'), rows: rowsOf(scored, 'words') },
      {
        name: 'quality: order',
        about: about('word trigrams, which tell the order,'),
        rows: rowsOf(scored, 'trigrams'),
      },
    ],
    examples: scored.flatMap(({ examples }) => examples),
  };
}
