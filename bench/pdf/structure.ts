import { median, type Examples, type Measure, type Row } from '../measure.js';
import { Headings } from './headings.js';
import { findLeaks } from './leaks.js';
import { findLostText } from './lost-text.js';
import { ownTitle, textOf } from './quality.js';
import type { ReadFile } from './read-files.js';

export interface Structure {
  measures: Measure[];
  examples: Examples[];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function languageShares(languages: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const language of languages) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([language, count]) => `${language} ${Math.round((100 * count) / languages.length)}`)
    .join(', ');
}

/** What a split adds to a title ("Options (2)"): the heading stands before the first part, without it. */
function withoutPart(title: string): string {
  return title.replace(/ \(\d+(\/\d+)?\)$/, '');
}

function measureFile({ file, ours, plain }: ReadFile): {
  row: Row;
  leaks: Row;
  examples: Examples[];
} {
  const {
    sections = [],
    pageCount = 0,
    pagesWithoutText = [],
    hiddenText = [],
  } = ours.extracted ?? {};
  const { pages = [], bookmarks = [] } = plain.plain ?? {};
  const headings = new Headings(pages, bookmarks);
  const firstPages = new Map<string, number>();
  for (const { title, pageFrom } of sections) {
    const whole = withoutPart(title);
    if (!firstPages.has(whole)) firstPages.set(whole, pageFrom);
  }
  const strays = sections.filter(({ title, pageFrom, pageTo }) => {
    const whole = withoutPart(title);
    return !headings.holds(ownTitle(whole), firstPages.get(whole) ?? pageFrom, pageTo);
  });
  const lengths = sections.map(({ content }) => content.length).sort((a, b) => a - b);
  const entries = ours.extracted === undefined ? '' : textOf(ours.extracted);
  const lost = findLostText(pages, entries);
  const leaks = findLeaks(sections, pages, ownTitle);
  const row: Row = {
    file: file.name,
    pages: pageCount,
    entries: sections.length,
    'per page': (sections.length / pageCount).toFixed(2),
    'title is a heading': percent(1 - strays.length / sections.length),
    'text lost': plain.outcome === 'ok' ? percent(lost.share) : plain.outcome,
    'chars median': median(lengths),
    '90th': lengths[Math.floor(0.9 * lengths.length)] ?? 0,
    max: lengths.at(-1) ?? 0,
    'languages %': languageShares(sections.map(({ language }) => language)),
    'pages without text': pagesWithoutText.length,
    hidden: hiddenText.length,
  };
  const strange = strays.map(({ title, pageFrom }) => `page ${pageFrom}: ${title}`);
  const kinds: [string, string[]][] = [
    ['titles that are no heading', strange],
    ['text that no entry holds', lost.examples],
    ['numbers alone', leaks.numbers],
    ['lines of the page’s edge', leaks.edges],
    ['lines that end in a hyphen', leaks.hyphens],
    ['titles seen as text more than once', leaks.titles],
  ];
  return {
    row,
    leaks: {
      file: file.name,
      'numbers alone': leaks.numbers.length,
      'edge lines': leaks.edges.length,
      'hyphens at ends': leaks.hyphens.length,
      'titles as text': leaks.titles.length,
    },
    examples: kinds.flatMap(([kind, examples]) =>
      examples.length === 0 ? [] : [{ file: file.name, kind, examples }],
    ),
  };
}

/** How the readable files were cut and titled, what was left out, and what looks like a leftover of the page. */
export function measureStructure(files: readonly ReadFile[]): Structure {
  const readable = files.filter(({ ours }) => ours.extracted !== undefined).map(measureFile);
  if (readable.length === 0) return { measures: [], examples: [] };
  return {
    measures: [
      {
        name: 'structure',
        about:
          'how entries were cut; "text lost" is the share of words that no entry holds, without heads, feet and contents (target: under 2 %)',
        rows: readable.map(({ row }) => row),
      },
      {
        name: 'leftovers',
        about: 'lines of entries that look like leftovers of the page; --verbose shows them',
        rows: readable.map(({ leaks }) => leaks),
      },
    ],
    examples: readable.flatMap(({ examples }) => examples),
  };
}

export const unexpected = 'NOT as expected';

/** Whether each file came to the end that its folder's manifest foretells. */
export function measureOutcomes(files: readonly ReadFile[]): Measure {
  const rows = files.map(({ file, ours }): Row => {
    const { outcome, message } = ours;
    const verdict =
      file.expected === undefined ? '' : file.expected === outcome ? 'as expected' : unexpected;
    return { file: file.name, expected: file.expected ?? '', outcome, verdict, says: message };
  });
  return { name: 'outcomes', about: 'against the manifest of the folder', rows };
}
