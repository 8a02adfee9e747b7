import type { Total } from '../../insights/read-insights.js';
import type { Format } from '../texts/format.js';
import type { Texts } from '../texts/en.js';

/** Fewer cases show as numbers without a percentage, and without what only many cases tell. */
export const leastForShare = 20;

type FigureName = keyof Texts['insights']['figures'];

/** A figure of the whole span, which the span before has too. */
export interface Headline {
  name: FigureName;
  title: (words: Texts['insights']) => string;
  /** Undefined: it is not known. */
  value: (total: Total) => number | undefined;
  /** The number of cases that a share is taken of. */
  of?: (total: Total) => number;
  kind: 'count' | 'time' | 'wait';
  /** The line below it on its tile. Without one, the figure stands in the table alone. */
  note?: (total: Total, words: Texts['insights'], format: Format) => string;
  /** The filter that a link to its conversations adds; undefined where no list has them. */
  filter?: (total: Total) => Record<string, string>;
}

const count = (name: FigureName, rest: Omit<Headline, 'name' | 'title' | 'kind'>): Headline => ({
  name,
  title: (words) => words.figures[name],
  kind: 'count',
  ...rest,
});

/** A figure that counts some of all cases. */
const share = (
  name: FigureName & keyof Total,
  of: (total: Total) => number,
  filter: Record<string, string>,
): Headline =>
  count(name, {
    of,
    filter: () => filter,
    value: (total) => total[name] as number,
    note: (total, { notes }, format) => notes.of(format.number(of(total))),
  });

const speed = (name: 'firstWord' | 'lastWord', which: 'median' | 'p95'): Headline => ({
  name,
  kind: 'time',
  title: (words) => (which === 'median' ? words.medianOf : words.slowestOf)(words.figures[name]),
  value: (total) => (which === 'median' ? total[name]?.median : p95Of(total[name])),
});

/** The figures in the order in which they are shown. */
export const headlines: Headline[] = [
  count('questions', {
    value: ({ questions }) => questions,
    note: ({ conversations }, { notes }, format) =>
      notes.conversations(format.number(conversations)),
    filter: () => ({}),
  }),
  share('answered', ({ questions }) => questions, { found: 'true' }),
  share('settled', ({ conversations }) => conversations, { outcome: 'settled' }),
  share('handedOver', ({ conversations }) => conversations, { outcome: 'handed' }),
  {
    ...share('up', ({ up, down }) => up + down, { rating: 'up' }),
    note: ({ up, down, questions }, { notes }, format) =>
      notes.rated(format.number(up + down), format.number(questions)),
  },
  share('unsupported', ({ questions }) => questions, { unsupported: 'true' }),
  {
    ...speed('lastWord', 'median'),
    note: ({ lastWord, firstWord }, words, format) =>
      [
        ...(p95Of(lastWord) === undefined
          ? []
          : [words.notes.p95(format.took(lastWord?.p95 ?? 0))]),
        ...(firstWord === undefined ? [] : [words.notes.firstWord(format.took(firstWord.median))]),
      ].join(' · '),
    filter: ({ lastWord }) => slowerThan(lastWord?.median),
  },
  {
    ...speed('lastWord', 'p95'),
    filter: ({ lastWord }) => slowerThan(p95Of(lastWord)),
  },
  speed('firstWord', 'median'),
  speed('firstWord', 'p95'),
  {
    name: 'wait',
    kind: 'wait',
    title: (words) => words.medianOf(words.figures.wait),
    value: ({ medianWaitMs }) => medianWaitMs,
  },
  count('units', { value: ({ units }) => units, note: (_, { notes }) => notes.units }),
];

/** The conversations with an answer that took so long. */
export const slowerThan = (ms: number | undefined): Record<string, string> =>
  ms === undefined ? {} : { slower: String(ms / 1000) };

/** Of few replies, the slowest tell nothing. */
export function p95Of(speed: Total['lastWord']): number | undefined {
  return speed === undefined || speed.replies < leastForShare ? undefined : speed.p95;
}

/** The share of a figure; undefined for a number that is none, and for few cases. */
function shareOf({ value, of }: Headline, total: Total): number | undefined {
  const [cases, counted] = [of?.(total) ?? 0, value(total)];
  return cases < leastForShare || counted === undefined ? undefined : counted / cases;
}

/** A figure in short: a share where there are enough cases. */
export function shortly(headline: Headline, total: Total, format: Format): string | undefined {
  const [value, share] = [headline.value(total), shareOf(headline, total)];
  if (share !== undefined) return format.share(share);
  if (value === undefined) return undefined;
  if (headline.kind === 'time') return format.took(value);
  return headline.kind === 'wait' ? format.duration(value) : format.number(value);
}

interface Compared {
  now: Total;
  before: Total;
}

/** How a figure has changed: shares by points, numbers and times by per cent. Undefined for few cases. */
export function changeOf(
  headline: Headline,
  { now, before }: Compared,
  { format, words }: { format: Format; words: Texts['insights'] },
): string | undefined {
  const [share, earlier] = [shareOf(headline, now), shareOf(headline, before)];
  if (headline.of !== undefined) {
    if (share === undefined || earlier === undefined) return undefined;
    const points = Math.round(100 * share) - Math.round(100 * earlier);
    return words.before.points(format.signed(points));
  }
  const [value, old] = [headline.value(now), headline.value(before)];
  const cases = headline.kind === 'count' ? old : before.questions;
  if (value === undefined || old === undefined || old === 0) return undefined;
  return (cases ?? 0) < leastForShare ? undefined : format.change(value / old - 1);
}
